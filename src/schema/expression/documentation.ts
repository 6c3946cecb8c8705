/** The reference page of the expressions, made from the table of functions. Not part of the portal's bundle. */
import type { FunctionSpec } from './call'
import { DOCUMENTED } from './documented'
import type { FunctionDocumentation } from './documented/documented'
import { FUNCTIONS } from './functions'
import { LIMITS } from './problem'

const GROUPS: readonly [FunctionDocumentation['group'], string][] = [
  ['list', 'Lists 列表'],
  ['text', 'Texts 文本'],
  ['number', 'Numbers and amounts 数字与金额'],
  ['date', 'Dates 日期'],
  ['value', 'Values 值'],
  ['environment', 'Viewer: rights, language, dictionaries 查看者'],
]

const INTRODUCTION = `# Expressions

A text of a schema with \`{{ }}\` is an expression. A whole \`{{ … }}\` gives a value of any type; text around it, or several of them,
give a text (nothing becomes an empty text). In an address every value is encoded.

The syntax is that of JavaScript's expressions: members \`row.name\`, \`row['the name']\`, \`a?.b\`, arithmetic, comparisons, \`&&\`, \`||\`, \`??\`,
\`condition ? yes : no\`, lists \`[1, 2]\`, objects \`{ id: row.id, ...query }\`, texts \`'…'\` and \`\` \`…\${x}\` \`\`, \`typeof\`. They mean what they mean in
JavaScript, with these differences:

- Only the functions below can be called; arrow functions stand only where a function takes one.
- A member of a list is taken of every item: \`rows.id\` is the list of ids. \`rows.length\` and \`rows[0]\` are as in JavaScript.
- Only data is read: no methods, getters, prototypes or instances of classes. Operators take texts, numbers and the like, not objects.
- Not in the language: assignment, \`new\`, \`this\`, function bodies, regular expressions, comments, \`in\`, \`instanceof\`, \`delete\`, \`void\`, operators on bits.
- Amounts travel as decimal texts. In expressions of an entity (rules, derived fields, refusals, titles) operators work by the field's kind: decimals, money and percentages compare and calculate exactly, also with numbers; nothing counts as 0, and dividing by 0 is a problem. Two currencies, or one that is not known, cannot be added or compared; money by a number is money, money by money of one currency a number. Whether an amount is there is a condition (\`!total\`), its size is compared: \`total > 0\`.
- Elsewhere (pages, forms) amounts are texts: \`*\`, \`/\` and \`-\` read them as numbers, \`+\` joins texts, and \`'9' > '10'\` compares characters. Calculate with \`add\`, \`sub\`, \`mul\`, \`div\`, \`sum\`, \`round\` and compare with \`compare\`.
- A number that a form reckons for a field of a decimal, money or percentage is kept as decimal text: \`{{ $values.price * $values.quantity }}\`.
- Numbers are reckoned as they are written: \`0.1 + 0.2\` is \`0.3\`, \`1.1 * 3\` is \`3.3\`.
- Empty is empty. In a text, nothing and what could not be reckoned are an empty text, never "undefined" or "NaN": \`'Total: ' + total\`, \`\` \`Total: \${total}\` \`\` and \`Total: {{ total }}\`. A function of one value answers null for nothing; sums leave nothing out (of nothing at all: 0), an average, the smallest and the largest of nothing are null. In a form, what is reckoned with an empty field stays empty, and so does a division by 0.
- Bounds of one evaluation: ${LIMITS.length} characters of text, ${LIMITS.depth} levels, ${LIMITS.steps} steps of loops, results of ${LIMITS.text} characters or ${LIMITS.items} items.

Names by place: on pages \`row\`, \`rows\`, \`value\` in lists; \`$self\`, \`$deps\`, \`$form\`, \`$values\`, \`$record\`, \`$index\` in forms; \`query\` everywhere.
In entities what this table says; a name that stands elsewhere is refused with those that are there.
\`user\`, \`today\` (the viewer's day, YYYY-MM-DD), \`now\` (ISO 8601 in UTC), \`locale\` everywhere.

| in an entity                                                   | names                                                                                                        |
| -------------------------------------------------------------- | ------------------------------------------------------------------------------------------------------------ |
| rules, grants, conditions of what happens by itself, deadlines | fields, also as \`record\`; look-ups; fields behind references; \`before\`; \`head\`, what the record belongs to   |
| transitions: refusals and effects; look-ups, templates         | the same and \`input\`; in effects \`row\` with \`on\` or \`each\`, in \`whenRefused\` \`refusal\`, in refusals \`adding\` |
| derived values                                                 | fields, fields behind references, of a line \`head\`                                                           |
| what may be chosen (\`x-refFilter\`)                             | fields, also as \`record\` and \`values\`; fields behind references; of a line \`head\`                            |
| titles, refusals of a merge                                    | fields, also as \`record\`; of a merge \`other\`                                                                 |
| duplicates                                                     | stored fields                                                                                                |
| defaults, row views, conditions of limits and deadlines        | none of these; texts in files have \`value\`                                                                   |
`

function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

function rowOf(spec: FunctionSpec): string {
  const { summary, examples } = DOCUMENTED[spec.name]!
  const lines = examples.map(({ expression, scope, result }) => {
    const given = scope ? ` with ${code(JSON.stringify(scope))}` : ''
    return `${code(expression)}${given} → ${code(JSON.stringify(result))}`
  })
  return `### ${spec.name}\n\n\`${spec.signature}\`\n\n${summary.en} ${summary.zh}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`
}

/** The whole page as Markdown. */
export function expressionPage(): string {
  const sections = GROUPS.map(([group, title]) => {
    const specs = [...FUNCTIONS.values()].filter(({ name }) => DOCUMENTED[name]?.group === group)
    return `## ${title}\n\n${specs.map(rowOf).join('\n')}`
  })
  return `${INTRODUCTION}\n${sections.join('\n')}`
}
