import { AutoComplete, Button, Checkbox, Input, InputNumber, Select } from 'antd'
import { useId, type ReactNode } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { isObject, joinAddress } from '../../../schema/overlay'
import { choiceName } from '../language/choices'
import { explanation } from '../language/help'
import { wordName } from '../../../schema/overlay/words'
import type { Meta, Word } from '../language/meta'
import { LIST_OF_PEOPLE } from '../language/ruleNames'
import { designerTexts } from '../texts'
import { useProblemsAt, useSurroundings } from '../editor/design'
import { CONDITIONS, ConditionControl } from '../condition/ConditionControl'
import { Functions } from './Functions'
import { JsonValue } from './JsonValue'
import { RowList } from './RowList'
import type { Locale } from '../../../schema/problem'
import { ComponentControl, ComponentSettings, OptionsControl } from '../form/ComponentControls'
import { isFitting } from '../form/fitting'
import { StateControl } from '../form/StateControl'
import { TextControl } from './TextControl'
import { textOf, withMember, type ControlProps, type WithId } from './controlProps'
import { OF_VALUES, ValueControl } from './ValueControl'
import { KnownControl, OF_NAMES, RuleControl, TagsControl } from './NameControls'
import { DurationControl, EffectValues, KindControl, MapControl, PairsControl, VerbControl } from './RuleControls'

/** One word of a part with the control that its place in the meta-schema asks for: label, control, explanation. */
export const Control = (props: ControlProps) => {
  const { at, name, word, value } = props
  const { locale } = useHost()
  const id = useId()
  const problems = useProblemsAt(at)
  const grouped = isText(word, value) || isGroup(word) || rowsOf(word, value) !== undefined
  // The sort of a module is a number: its own place among the others.
  const label = wordName(name === '' ? 'kind' : name === 'sort' && word.type === 'integer' ? 'order' : name, locale, at)
  return (
    <div className="sb-design-control" role={grouped ? 'group' : undefined} aria-labelledby={grouped ? `${id}-label` : undefined}>
      {grouped ? (
        <span id={`${id}-label`} className="sb-design-label">
          {label}
        </span>
      ) : (
        <label id={`${id}-label`} htmlFor={id} className="sb-design-label">
          {label}
        </label>
      )}
      {control(props, id, locale)}
      {isWritten(word, value) && <Functions value={textOf(value)} onChange={props.onChange} />}
      {problems.map(({ code, message }) => (
        <small key={`${code} ${message.en}`} role="alert" className="sb-design-wrong">
          {message[locale]}
        </small>
      ))}
      {word.description && <small className="sb-design-help">{explanation(word.description, locale)}</small>}
    </div>
  )
}

/** An expression stands here, or one alone can. */
const isWritten = ({ def }: Word, value: unknown): boolean =>
  typeof value === 'string' ? value.includes('{{') : def === 'Expression' && value === undefined

/** A text in both languages; what may be an expression too is one until somebody writes an expression. */
const isText = ({ def, anyOf, properties }: Word, value: unknown): boolean =>
  def === 'Text' ||
  (properties?.zh !== undefined && properties.en !== undefined) ||
  (typeof value !== 'string' && (anyOf ?? []).some(({ $ref }) => $ref === '#/$defs/Text'))
const isGroup = (word: Word): boolean => word.type === 'object' && word.properties !== undefined
const areRows = ({ type, items }: Meta): boolean =>
  type === 'array' &&
  items !== undefined &&
  (items.$ref ?? items.oneOf ?? (items.type === 'object' || items.type === 'array')) !== false
/** The word as a list of rows; what may be something else too is one until somebody writes that. */
const rowsOf = (word: Word, value: unknown): Word | undefined =>
  areRows(word) ? word : value !== undefined && !Array.isArray(value) ? undefined : (word.anyOf ?? []).find(areRows)

const control = (props: ControlProps, id: string, locale: Locale): ReactNode => {
  const { name, word } = props
  if (isText(word, props.value))
    return <TextControl label={wordName(name, locale)} value={props.value} onChange={props.onChange} />
  if (word.oneOf) return <KindControl {...props} id={id} Item={Control} />
  if (word.enum) return <ChoiceControl {...props} id={id} />
  if (word.type === 'boolean') return <FlagControl {...props} id={id} />
  if (word.type === 'integer' || word.type === 'number') return <NumberControl {...props} id={id} />
  if (word.def === 'Span') return <DurationControl {...props} id={id} />
  if (word.def === 'Permission' || (OF_NAMES.has(name) && !LIST_OF_PEOPLE.test(props.at)))
    return <KnownControl {...props} id={id} />
  if (OF_NODES.test(props.at)) {
    if (name === 'x-component') return <ComponentControl {...props} id={id} />
    if (name === 'x-component-props') return <ComponentSettings {...props} id={id} />
    if (name === 'enum') return <OptionsControl {...props} id={id} />
    if (name === 'state') return <StateControl {...props} id={id} />
  }
  const rows = rowsOf(word, props.value)
  if (rows) return <RowList {...props} word={rows} Item={Control} />
  if (word.type === 'array' && word.items?.type === 'string') return <TagsControl {...props} id={id} />
  if (isGroup(word)) return <GroupControl {...props} />
  if (name === 'with') return <EffectValues {...props} id={id} Item={Control} />
  if (word.type === 'object' && typeof word.additionalProperties === 'object')
    return <MapControl {...props} id={id} Item={Control} />
  if (word.type === 'object' && OF_PAIRS.test(props.at)) return <PairsControl {...props} id={id} />
  if (isCondition(name, word)) return <ConditionControl {...props} id={id} expression={<ConditionText {...props} id={id} />} />
  if (Object.hasOwn(SUGGESTED, name)) return <SuggestedControl {...props} id={id} />
  if (name === 'do') return <VerbControl {...props} id={id} />
  if (word.type === 'string' && word.def !== 'Expression')
    return <RuleControl {...props} id={id} otherwise={<LineControl {...props} id={id} />} />
  if (word.type === 'string') return <LineControl {...props} id={id} />
  return OF_VALUES.has(name) ? <ValueControl {...props} id={id} /> : <JsonValue {...props} id={id} />
}

/** Values of effects, deadlines and examples: names and what they get. */
const OF_PAIRS = /^(?:x-|nodes\/|effects\/).*\/(?:values|match|save)$/

/** Words of a node of a form. */
const OF_NODES = /^schema\/(?:.*\/)?(?:x-component|x-component-props|enum|state)$/

/** Says when something holds, by an expression. */
const isCondition = (name: string, { type, def }: Word): boolean =>
  CONDITIONS.has(name) && (def === 'Expression' || type === 'string' || (Array.isArray(type) && type.includes('string')))

const ConditionText = (props: WithId) => (Array.isArray(props.word.type) ? <JsonValue {...props} /> : <LineControl {...props} />)

/** What words are mostly set to that may be an expression as well. */
const SUGGESTED: Readonly<Record<string, readonly string[]>> = {
  'x-pattern': ['editable', 'disabled', 'readOnly', 'readPretty'],
}

const ChoiceControl = ({ id, word, value, onChange }: WithId) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  return (
    <Select
      id={id}
      size="small"
      allowClear
      placeholder={texts.unset}
      value={value as string | number | undefined}
      onChange={(next) => onChange(next)}
      options={(word.enum ?? []).flatMap((choice) =>
        choice === null || typeof choice === 'boolean' ? [] : [{ value: choice, label: choiceName(choice, locale) }],
      )}
    />
  )
}

const FlagControl = ({ id, value, onChange }: WithId) => {
  const texts = designerTexts[useHost().locale]
  return (
    <Select
      id={id}
      size="small"
      allowClear
      placeholder={texts.unset}
      value={typeof value === 'boolean' ? value : undefined}
      onChange={(next: boolean | undefined) => onChange(next)}
      options={[
        { value: true, label: texts.yes },
        { value: false, label: texts.no },
      ]}
    />
  )
}

const NumberControl = ({ id, word, value, onChange }: WithId) => {
  const texts = designerTexts[useHost().locale]
  return (
    <InputNumber
      id={id}
      size="small"
      className="sb-design-wide"
      placeholder={texts.unset}
      min={word.minimum}
      max={word.maximum}
      precision={word.type === 'integer' ? 0 : undefined}
      value={typeof value === 'number' ? value : null}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}

const SuggestedControl = ({ id, name, value, onChange }: WithId) => {
  const { locale } = useHost()
  return (
    <AutoComplete
      id={id}
      size="small"
      allowClear
      value={textOf(value)}
      options={(SUGGESTED[name] ?? []).map((choice) => ({ value: choice, label: `${choiceName(choice, locale)} · ${choice}` }))}
      onChange={(next: string | undefined) => onChange(next === undefined || next === '' ? undefined : next)}
    />
  )
}

/** Text of any length: expressions grow with what is typed. */
const LineControl = ({ id, word, value, onChange }: WithId) => {
  const change = (text: string): void => onChange(text === '' ? undefined : text)
  if (word.def === 'Expression')
    return (
      <Input.TextArea
        id={id}
        size="small"
        className="sb-design-mono"
        autoSize={{ minRows: 1, maxRows: 6 }}
        spellCheck={false}
        placeholder="{{ }}"
        value={textOf(value)}
        onChange={(event) => change(event.target.value)}
      />
    )
  return <Input id={id} size="small" value={textOf(value)} onChange={(event) => change(event.target.value)} />
}

/** An object inside a part: its own words below it, once it is there. */
const GroupControl = ({ at, name, word, value, onChange }: ControlProps) => {
  const { locale } = useHost()
  const { language } = useSurroundings()
  const part = isObject(value) ? value : undefined
  const texts = designerTexts[locale]
  const toggle = (there: boolean): void => onChange(there ? {} : undefined)
  return (
    <div className="sb-design-group">
      <Checkbox checked={part !== undefined} onChange={(event) => toggle(event.target.checked)}>
        {part === undefined ? texts.add : wordName(name, locale)}
      </Checkbox>
      {part &&
        language
          .words(word)
          .filter(([inner]) => isFitting(inner, word.def, part, at))
          .map(([inner, meta]) => (
            <Control
              key={inner}
              at={joinAddress(at, inner)}
              name={inner}
              word={meta}
              value={part[inner]}
              onChange={(next) => onChange(withMember(part, inner, next))}
            />
          ))}
      {part && (
        <Button size="small" type="link" onClick={() => onChange(undefined)}>
          {texts.clear}
        </Button>
      )}
    </div>
  )
}
