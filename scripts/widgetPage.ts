import type { AnyWidget, PropsSchema } from '../src/runtime/widget'

const folders = import.meta.glob<Readonly<Record<string, AnyWidget>>>('../src/widgets/*/index.ts', { eager: true })

interface FoundWidget {
  /** Name of the folder below src/widgets. */
  folder: string
  widget: AnyWidget
}

const found: readonly FoundWidget[] = Object.entries(folders)
  .flatMap(([path, module]) => Object.values(module).map((widget) => ({ folder: path.split('/').at(-2) ?? '', widget })))
  .sort((a, b) => a.widget.name.localeCompare(b.widget.name))

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const limits: readonly (readonly [keyof PropsSchema, string])[] = [
  ['minLength', 'min length'],
  ['maxLength', 'max length'],
  ['minimum', 'min'],
  ['maximum', 'max'],
  ['minItems', 'min items'],
  ['maxItems', 'max items'],
]

const typeOf = (schema: PropsSchema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((entry) => JSON.stringify(entry)).join(' or ')
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`
  return schema.type ?? 'anything'
}

const rowsOf = (schema: PropsSchema, prefix = ''): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const facts = limits.flatMap(([key, label]) => (part[key] === undefined ? [] : [`${label} ${String(part[key])}`]))
    const initial = part.default === undefined ? '' : `default ${JSON.stringify(part.default)}`
    const remarks = [part.description ?? '', ...facts, initial].filter((text) => text !== '').join('; ')
    const required = schema.required?.includes(name) ? 'yes' : 'no'
    const row = `| \`${prefix}${name}\` | ${cell(typeOf(part))} | ${required} | ${cell(remarks)} |`
    const below = part.items?.properties ? rowsOf(part.items, `${prefix}${name}[].`) : rowsOf(part, `${prefix}${name}.`)
    return [row, ...below]
  })

const sectionOf = ({ folder, widget }: FoundWidget): string => {
  const rows = rowsOf(widget.props)
  const properties =
    rows.length === 0 ? 'No properties.' : `| property | type | required | remarks |\n|---|---|---|---|\n${rows.join('\n')}`
  const values = widget.example.values ? `\n\nThe place gives: \`${JSON.stringify(widget.example.values)}\`` : ''
  return `## ${widget.name}

${widget.description.en}

${widget.description.zh}

Folder: \`src/widgets/${folder}\`

${properties}

\`\`\`json
${JSON.stringify({ widget: widget.name, props: widget.example.props }, null, 2)}
\`\`\`${values}
`
}

/** The text of docs/widgets.md. */
export function widgetPage(): string {
  return `# Widgets

Written by \`npx tsx scripts/widget-docs.ts\` from the definitions under \`src/widgets\`; a test fails while it is stale.
A widget is a screen or a part of one that a page document names. How to make one: docs/developers.md.

${found.map(sectionOf).join('\n')}`
}
