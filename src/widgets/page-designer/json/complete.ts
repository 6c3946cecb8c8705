import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { joinAddress } from '../../../schema/overlay'
import type { Locale } from '../../../schema/problem'
import { addressOf } from '../document/address'
import type { Design } from '../editor/design'
import type { Word } from '../language/meta'
import { functionHelp } from '../language/functions'
import { explanation } from '../language/help'
import { wordName } from '../../../schema/overlay/words'
import { cursorAt } from './cursor'

const INSIDE_EXPRESSION = /\{\{(?:(?!\}\})[^\n])*/

/** The functions that an expression can call, with what they do. */
const completeFunction = (context: CompletionContext, locale: Locale): CompletionResult | null => {
  const typed = context.matchBefore(/[\w$.]+/)
  // a member of a value is no function
  if (typed?.text.includes('.')) return null
  const options = functionHelp(locale).map(({ name, signature, summary, example }): Completion => ({
    label: name,
    apply: `${name}(`,
    detail: signature.slice(name.length),
    info: `${summary} ${example}`,
    type: 'function',
  }))
  return { from: typed?.from ?? context.pos, options, validFor: /^\w*$/ }
}

/** What can be written at the cursor: words of the language, and the names that entities, dictionaries and rights give. */
export const completeJson =
  (design: () => Design, locale: Locale) =>
  (context: CompletionContext): CompletionResult | null => {
    const typed = context.matchBefore(/"?[\w$:./-]*/)
    if (!context.explicit && (!typed || typed.from === typed.to)) return null
    if (context.matchBefore(INSIDE_EXPRESSION)) return completeFunction(context, locale)
    const { language, labels, document } = design()
    const { steps, naming, taken } = cursorAt(context.state, context.pos)
    const from = typed?.from ?? context.pos
    const closed = context.state.sliceDoc(context.pos, context.pos + 1) === '"'
    const quoted = (text: string): string => (closed ? `"${text}` : `"${text}"`)
    const word = language.at(joinAddress('', ...steps))
    if (naming) {
      const options = language
        .words(word ?? {})
        .filter(([name]) => !taken.includes(name))
        .map(([name, inner]): Completion => ({
          label: `"${name}"`,
          apply: closed ? quoted(name) : `${quoted(name)}: `,
          detail: wordName(name, locale),
          ...(inner.description ? { info: explanation(inner.description, locale) } : {}),
          type: 'property',
        }))
      return { from, options }
    }
    const at = addressOf(document, `/${steps.join('/')}`)
    const options = [
      ...valuesOf(word).map((value): Completion => ({
        label: JSON.stringify(value),
        apply: typeof value === 'string' ? quoted(value) : String(value),
      })),
      ...namesOf(steps.at(-1) ?? '', word, at, design()).map(([name, label]): Completion => ({
        label: `"${name}"`,
        apply: quoted(name),
        ...(label === undefined ? {} : { detail: label[locale] }),
      })),
      ...(steps.at(-1) === 'field' ? labels.fieldsAt(at) : []).map((field): Completion => ({
        label: `"${field.name}"`,
        apply: quoted(field.name),
        detail: field.label[locale],
        type: 'variable',
      })),
    ]
    return options.length === 0 ? null : { from, options }
  }

const valuesOf = (word: Word | undefined): readonly (string | number | boolean)[] => {
  if (!word) return []
  if (word.type === 'boolean') return [true, false]
  return (word.enum ?? []).flatMap((value) => (value === null ? [] : [value]))
}

const namesOf = (name: string, word: Word | undefined, at: string, design: Design): [string, { zh: string; en: string }?][] => {
  if (word?.def === 'Permission') return design.permissions.map((key) => [key])
  if (name === 'entity') return design.entities.map((entity) => [entity.name, entity.label])
  if (name !== '$field') return []
  const entity = design.labels.entityAt(at)?.name
  return entity === undefined ? [] : design.labels.fieldsAt(at).map((field) => [`${entity}.${field.name}`, field.label])
}
