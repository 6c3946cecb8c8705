import { Button, Input, InputNumber, Select, Space } from 'antd'
import { useMemo, useState, type ComponentType } from 'react'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { isObject, joinAddress } from '../../../schema/overlay'
import { ENGINE_VERBS, verbOf } from '../../../schema/effect/verbs'
import { parentOf, valueAt } from '../document/address'
import { freeId } from '../document/items'
import { useDesign } from '../editor/design'
import { explanation } from '../language/help'
import { beginningOfKind, isOfKind, kindName, kindsOf } from '../language/kinds'
import type { Meta, Word } from '../language/meta'
import { designerTexts } from '../texts'
import { ValueBox } from './JsonValue'
import { useStates } from './NameControls'
import { textOf, withMember, type ControlProps, type WithId } from './controlProps'

/** A value for which the language has several forms: which one, and its own words. */
export const KindControl = ({ id, at, word, value, onChange, Item }: WithId & { Item: ComponentType<ControlProps> }) => {
  const { locale } = useHost()
  const { language } = useDesign()
  const texts = designerTexts[locale]
  const kinds = useMemo(() => kindsOf(language, word), [language, word])
  const [picked, setPicked] = useState<number | null>(null)
  const fitting = kinds.findIndex((kind) => isOfKind(kind, value))
  const chosen = picked ?? (fitting < 0 ? null : fitting)
  const kind = chosen === null ? undefined : kinds[chosen]
  const choose = (index: number | undefined): void => {
    setPicked(index ?? null)
    onChange(index === undefined ? undefined : beginningOfKind(language, kinds[index] ?? {}))
  }
  return (
    <div className="sb-design-group">
      <Select
        id={id}
        size="small"
        className="sb-design-wide"
        allowClear
        placeholder={texts.unset}
        value={chosen}
        onChange={choose}
        options={kinds.map((one, index) => ({ value: index, label: kindName(one, locale) }))}
      />
      {kind?.description && <small className="sb-design-help">{explanation(kind.description, locale)}</small>}
      {kind && kind.const === undefined && <KindValue at={at} kind={kind} value={value} onChange={onChange} Item={Item} />}
    </div>
  )
}

interface KindValueProps {
  at: string
  kind: Word
  value: unknown
  onChange(value: unknown): void
  Item: ComponentType<ControlProps>
}

const KindValue = ({ at, kind, value, onChange, Item }: KindValueProps) => {
  const { language } = useDesign()
  if (kind.type !== 'object')
    return <Item at={at} name="value" word={{ ...kind, description: '' }} value={value} onChange={onChange} />
  const part = isObject(value) ? value : {}
  return language
    .words(kind)
    .map(([name, word]) => (
      <Item
        key={name}
        at={joinAddress(at, name)}
        name={name}
        word={word}
        value={part[name]}
        onChange={(next) => onChange(withMember(part, name, next))}
      />
    ))
}

/** ISO 8601 durations of one unit; others are typed. */
const ONE_UNIT = /^P(?:(\d+)([YMWD])|T(\d+)([HM]))$/
const UNITS = ['PT_M', 'PT_H', 'P_D', 'P_W', 'P_M', 'P_Y'] as const

export const DurationControl = ({ id, value, onChange }: WithId) => {
  const texts = designerTexts[useHost().locale]
  const [unit, setUnit] = useState<string>('P_D')
  const found = ONE_UNIT.exec(textOf(value))
  const amount = found?.[1] ?? found?.[3]
  const given = found ? (found[2] === undefined ? `PT_${found[4] ?? ''}` : `P_${found[2]}`) : unit
  if (textOf(value) !== '' && !found)
    return <Input id={id} size="small" value={textOf(value)} onChange={({ target }) => onChange(target.value || undefined)} />
  return (
    <Space.Compact>
      <InputNumber
        id={id}
        size="small"
        min={1}
        precision={0}
        placeholder={texts.unset}
        value={amount === undefined ? null : Number(amount)}
        onChange={(next) => onChange(next === null ? undefined : given.replace('_', String(next)))}
      />
      <Select
        size="small"
        aria-label={texts.unit}
        value={given}
        onChange={(next) => {
          setUnit(next)
          if (amount !== undefined) onChange(next.replace('_', amount))
        }}
        options={UNITS.map((one) => ({ value: one, label: texts.units[one] }))}
      />
    </Space.Compact>
  )
}

/** What every application has. */
const OF_THE_APPLICATION = /^\{\{\s*instance\.\w+\s*\}\}$/

/** What an effect does: a verb that every entity has, or one of a module. Of the latter what the others give it is filled in, as far as it is known here. */
export const VerbControl = ({ id, at, value, onChange }: WithId) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  const { document, labels, change, verbs = [] } = useDesign()
  const [typed, setTyped] = useState('')
  const known = [
    ...ENGINE_VERBS.map(({ name, label }) => ({ value: name, label: `${label[locale]} · ${name}` })),
    ...verbs.map(({ name, usedBy }) => ({ value: name, label: `${usedBy[0]?.[locale] ?? ''} · ${name}` })),
  ]
  const own =
    typed.includes('.') && !verbs.some(({ name }) => name === typed) ? [{ value: typed, label: typed, typed: true }] : []
  const verb = verbOf(textOf(value))
  const used = verbs.find(({ name }) => name === value)
  const choose = (next: string | undefined): void => {
    const around = parentOf(at).parent
    const effect = valueAt(document, around)
    const takes = verbs.find(({ name }) => name === next)?.with
    if (!takes || !isObject(effect) || Object.keys(isObject(effect.with) ? effect.with : {}).length > 0) return onChange(next)
    const fields = new Set(labels.fieldsAround(joinAddress(around, 'with')).map(({ name }) => name))
    const given = Object.entries(takes).flatMap(([name, one]) => {
      if (fields.has(name)) return [[name, `{{ ${name} }}`] as const]
      return OF_THE_APPLICATION.test(textOf(one)) ? [[name, one] as const] : []
    })
    change(around, { ...effect, do: next, with: Object.fromEntries(given) })
  }
  return (
    <>
      <SearchSelect
        id={id}
        size="small"
        placeholder={texts.choose}
        value={textOf(value) || undefined}
        options={[...known, ...own]}
        onSearch={setTyped}
        onChange={choose}
      />
      {verb && <small className="sb-design-help">{verb.description[locale]}</small>}
      {used && (
        <small className="sb-design-help">
          {texts.verbTakes(
            used.usedBy.map((one) => one[locale]).join(locale === 'zh' ? '、' : ', '),
            Object.keys(used.with).join(', '),
          )}
        </small>
      )}
    </>
  )
}

/** What a verb takes, by the schema with which it is registered; what that leaves open as pairs of a name and a value. */
export const EffectValues = (props: WithId & { Item: ComponentType<ControlProps> }) => {
  const { at, value, onChange, Item } = props
  const { document, language } = useDesign()
  const effect = valueAt(document, parentOf(at).parent)
  const verb = verbOf(isObject(effect) ? textOf(effect.do) : '')
  const schema: Meta | undefined = verb?.with
  if (!schema?.properties) return <PairsControl {...props} />
  const part = isObject(value) ? value : {}
  return (
    <div className="sb-design-group">
      {language.words(schema).map(([name, word]) => (
        <Item
          key={name}
          at={joinAddress(at, name)}
          name={name}
          // Its people are those of the language.
          word={name === 'to' ? { ...language.definition('People'), description: word.description } : word}
          value={part[name]}
          onChange={(next) => onChange(withMember(part, name, next))}
        />
      ))}
    </div>
  )
}

/** Names and what they get: fields of the record that is made or changed, inputs of a transition, parameters of a feature. */
export const PairsControl = ({ id, at, value, onChange }: WithId) => {
  const { locale } = useHost()
  const { document, labels, verbs } = useDesign()
  const texts = designerTexts[locale]
  const part = isObject(value) ? value : {}
  const { parent } = parentOf(at)
  const around = valueAt(document, parent)
  const verb = verbs?.find(({ name }) => isObject(around) && name === around.do)
  const takes = isObject(around) ? textOf(around.transition) : ''
  const transition = labels.transitionsAt(joinAddress(parent, 'transition')).find((one) => one.id === takes)
  const fields = labels.fieldsAround(at).filter(({ name }) => !name.includes('.'))
  const known = new Map(
    verb
      ? Object.keys(verb.with).map(
          (name) => [name, fields.find((one) => one.name === name)?.label ?? { zh: name, en: name }] as const,
        )
      : transition
        ? [
            ...fields.filter(({ name }) => transition.fields?.includes(name)).map(({ name, label }) => [name, label] as const),
            ...Object.entries(transition.inputs ?? {}).map(([name, field]) => [name, field['x-label']] as const),
          ]
        : fields.map(({ name, label }) => [name, label] as const),
  )
  const nameOf = (name: string): string => known.get(name)?.[locale] ?? name
  return (
    <div className="sb-design-rows">
      {Object.entries(part).map(([name, given]) => (
        <div key={name} className="sb-design-row">
          <span className="sb-design-label">{nameOf(name)}</span>
          <ValueBox
            label={nameOf(name)}
            id={`${id}-${name}`}
            value={given}
            onChange={(next) => onChange({ ...part, [name]: next ?? '' })}
          />
          <div className="sb-design-row-actions">
            <Button size="small" danger onClick={() => onChange(withMember(part, name, undefined))}>
              {texts.remove}
            </Button>
          </div>
        </div>
      ))}
      <NewName
        id={id}
        choices={[...known].map(([name, label]) => ({ value: name, label: `${label[locale]} · ${name}` }))}
        taken={Object.keys(part)}
        typed
        onAdd={(name) => onChange({ ...part, [name]: '' })}
      />
    </div>
  )
}

interface NewNameProps {
  id: string
  choices: readonly { value: string; label: string }[]
  taken: readonly string[]
  /** Others may be typed. */
  typed: boolean
  onAdd(name: string): void
}

/** A name that is added to those that are there. */
const NewName = ({ id, choices, taken, typed, onAdd }: NewNameProps) => {
  const texts = designerTexts[useHost().locale]
  const [text, setText] = useState('')
  const free = choices.filter(({ value }) => !taken.includes(value))
  const own = typed && /^[a-z][A-Za-z0-9]*$/.test(text) && !free.some(({ value }) => value === text)
  return (
    <SearchSelect
      id={id}
      size="small"
      aria-label={texts.add}
      placeholder={texts.add}
      value={null}
      options={[...free, ...(own ? [{ value: freeId(text, taken), label: text, typed: true }] : [])]}
      onSearch={setText}
      onSelect={(name: string | null) => {
        if (name !== null) onAdd(name)
        setText('')
      }}
    />
  )
}

/** Names that each hold something of the language: states with the effects of entering them, fields with their rules. */
export const MapControl = ({ id, at, name, word, value, onChange, Item }: WithId & { Item: ComponentType<ControlProps> }) => {
  const { locale } = useHost()
  const { labels, language } = useDesign()
  const texts = designerTexts[locale]
  const part = isObject(value) ? value : {}
  const states = useStates(at, name)
  // the records of an example are called what somebody calls them
  const named = at.startsWith('x-tests/')
  const choices = named
    ? []
    : (states ?? labels.fieldsAround(at).map((field) => ({ value: field.name, label: `${field.label[locale]} · ${field.name}` })))
  const held = typeof word.additionalProperties === 'object' ? language.resolve(word.additionalProperties) : {}
  return (
    <div className="sb-design-rows">
      {Object.entries(part).map(([key, given]) => (
        <div key={key} className="sb-design-row">
          <span className="sb-design-label">{choices.find(({ value: one }) => one === key)?.label ?? key}</span>
          <Item
            at={joinAddress(at, key)}
            name={held.def === 'Effects' ? 'effects' : 'value'}
            word={held}
            value={given}
            onChange={(next) => onChange(withMember(part, key, next ?? (held.type === 'array' ? [] : undefined)))}
          />
          <div className="sb-design-row-actions">
            <Button size="small" danger onClick={() => onChange(withMember(part, key, undefined))}>
              {texts.remove}
            </Button>
          </div>
        </div>
      ))}
      <NewName
        id={id}
        choices={choices}
        taken={Object.keys(part)}
        typed={named}
        onAdd={(key) => onChange({ ...part, [key]: beginningOfKind(language, held) ?? '' })}
      />
    </div>
  )
}
