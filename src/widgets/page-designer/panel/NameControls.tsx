import { memo, useMemo, useState, type ReactNode } from 'react'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { useDesign } from '../editor/design'
import type { FieldChoice } from '../language/labels'
import { designerTexts } from '../texts'
import type { Word } from '../language/meta'
import { namesOfRule, stateFieldOf } from '../language/ruleNames'
import { textOf, type WithId } from './controlProps'

/** Words whose value is the name of an entity or a dictionary that exists. */
const EXISTING: ReadonlySet<string> = new Set(['x-dictionary', 'dictionary', 'x-ref', 'entity'])
/** Words whose value is a name that something else gives. */
export const OF_NAMES: ReadonlySet<string> = new Set([...EXISTING, 'field', '$field', 'titleField'])

/**
 * A name that something else gives: a field of the entity, an entity, a dictionary, a permission key. Fields of further records and
 * new keys may be typed; entities and dictionaries are those that exist.
 */
export const KnownControl = ({ id, at, name, word, value, onChange }: WithId) => {
  const { locale } = useHost()
  const { labels, entities, dictionaryNames, permissions } = useDesign()
  const fields = labels.fieldsAt(at)
  const prefix = name === '$field' ? `${labels.entityAt(at)?.name ?? ''}.` : ''
  const others = name === 'x-dictionary' || name === 'dictionary' ? dictionaryNames : entities
  const exists = EXISTING.has(name)
  const options = useMemo(
    () =>
      word.def === 'Permission'
        ? permissions.map((key) => ({ value: key, label: key }))
        : exists
          ? others.map((one) => ({ value: one.name, label: `${one.label[locale]} · ${one.name}` }))
          : fields.map((field) => ({ value: prefix + field.name, label: `${field.label[locale]} · ${field.name}` })),
    [word, exists, others, fields, prefix, permissions, locale],
  )
  return <NameBox id={id} only={exists} value={textOf(value)} options={options} onChange={onChange} />
}

interface NameBoxProps {
  id: string
  /** Nothing but the options can stand there. */
  only: boolean
  value: string
  options: readonly { value: string; label: string }[]
  onChange(value: unknown): void
}

/** A name out of options, or with `only` off one that is typed. */
export const NameBox = memo(function NameBox({ id, only, value, options, onChange }: NameBoxProps) {
  const texts = designerTexts[useHost().locale]
  const [typed, setTyped] = useState('')
  const own =
    only || typed === '' || options.some((option) => option.value === typed) ? [] : [{ value: typed, label: typed, typed: true }]
  return (
    <SearchSelect
      id={id}
      size="small"
      allowClear
      placeholder={texts.choose}
      value={value === '' ? undefined : value}
      options={[...options, ...own]}
      onSearch={setTyped}
      onChange={(next: string | undefined) => {
        setTyped('')
        onChange(next)
      }}
    />
  )
})

/** Lists of fields: nothing else can stand there. */
const OF_FIELDS: ReadonlySet<string> = new Set(['required', 'state', 'fields'])

export const TagsControl = ({ id, at, name, word, value, onChange }: WithId) => {
  const { labels } = useDesign()
  const states = useStates(at, name)
  const names = useNamesOfRule(at, name, word)
  const known = states ?? (names?.only ? names.choices : undefined)
  if (known)
    return (
      <SearchSelect
        id={id}
        size="small"
        mode="multiple"
        value={Array.isArray(value) ? (value as unknown[]).map(String) : []}
        options={known}
        onChange={(next: string[]) => onChange(next.length === 0 ? undefined : next)}
      />
    )
  return <TagsBox id={id} name={name} value={value} fields={labels.fieldsAt(at)} onChange={onChange} />
}

interface TagsBoxProps extends Pick<WithId, 'id' | 'name' | 'value' | 'onChange'> {
  fields: readonly FieldChoice[]
}

const TagsBox = memo(function TagsBox({ id, name, value, fields, onChange }: TagsBoxProps) {
  const { locale } = useHost()
  return (
    <SearchSelect
      id={id}
      size="small"
      mode={OF_FIELDS.has(name) ? 'multiple' : 'tags'}
      value={Array.isArray(value) ? (value as unknown[]).map(String) : []}
      options={fields.map((field) => ({ value: field.name, label: `${field.label[locale]} · ${field.name}` }))}
      onChange={(next: string[]) => onChange(next.length === 0 ? undefined : next)}
    />
  )
})

/** The states that can stand at an address: values of the dictionary of the machine's field. Undefined: none can, or they are not known. */
export const useStates = (at: string, name: string): readonly { value: string; label: string }[] | undefined => {
  const { document, labels, dictionaries } = useDesign()
  const { locale } = useHost()
  const field = stateFieldOf(document, at, name)
  if (field === undefined) return undefined
  const items = dictionaries[labels.field('', field)?.field['x-dictionary'] ?? '']?.items
  return items?.map(({ code, label }) => ({ value: code, label: `${label[locale]} · ${code}` }))
}

/** The transitions of the entity that a part of a page is about. */
const useTransitions = (at: string, name: string): readonly { value: string; label: string }[] | undefined => {
  const { labels } = useDesign()
  const { locale } = useHost()
  if (name !== 'transition') return undefined
  const found = labels.transitionsAt(at).map(({ id, label }) => ({ value: id, label: `${label[locale]} · ${id}` }))
  return labels.entityAt(at) && found
}

/** Names that can stand at a word of an entity's rules. */
const useNamesOfRule = (at: string, name: string, word: Word): ReturnType<typeof namesOfRule> => {
  const { document, labels, entities, language, roles } = useDesign()
  const { locale } = useHost()
  const ruled = language.kind === 'entity'
  return useMemo(
    () => (ruled ? namesOfRule({ document, labels, entities, roles: roles ?? [], locale }, at, name, word) : undefined),
    [ruled, document, labels, entities, roles, locale, at, name, word],
  )
}

/** A state, a transition, or what else a rule names: where it is not known the word is typed. */
export const RuleControl = ({ otherwise, ...props }: WithId & { otherwise: ReactNode }) => {
  const { id, at, name, word, value, onChange } = props
  const states = useStates(at, name)
  const transitions = useTransitions(at, name)
  const names = useNamesOfRule(at, name, word)
  const options = states ?? transitions ?? names?.choices
  if (!options) return otherwise
  return <NameBox id={id} only={names?.only ?? true} value={textOf(value)} options={options} onChange={onChange} />
}
