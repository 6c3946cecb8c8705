import { Button, Collapse, Input, InputNumber, Select } from 'antd'
import { useId } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { fieldKind } from '../../../schema/formats'
import { isObject, type JsonObject } from '../../../schema/overlay'
import type { BilingualText } from '../../../schema/problem'
import { parentOf, valueAt } from '../document/address'
import { freeId } from '../document/items'
import { useDesign } from '../editor/design'
import { textOf, withMember, type WithId } from '../panel/controlProps'
import { ValueBox } from '../panel/JsonValue'
import { NameBox } from '../panel/NameControls'
import { TextControl } from '../panel/TextControl'
import { designerTexts } from '../texts'
import { ALL_COMPONENTS } from './components'
import { settingChoice, settingsOf, type Setting } from './settings'

const TEXTS = {
  zh: {
    json: '其他设置（JSON）',
    option: '添加选项',
    value: '值',
    label: '名称',
    remove: '移除选项',
  },
  en: {
    json: 'Other settings (JSON)',
    option: 'Add an option',
    value: 'Value',
    label: 'Label',
    remove: 'Remove the option',
  },
} as const

/** The node whose word stands at an address. */
const useNode = (at: string): JsonObject => {
  const { document } = useDesign()
  const node = valueAt(document, parentOf(at).parent)
  return isObject(node) ? node : {}
}

/** The component of a node: those that can hold its value under names of people; others may be typed. */
export const ComponentControl = ({ id, at, value, onChange }: WithId) => {
  const { locale } = useHost()
  const { labels } = useDesign()
  const node = useNode(at)
  const field = typeof node.$field === 'string' ? labels.field(at, node.$field)?.field : undefined
  const kind = field && fieldKind(field)
  const nothing = { name: (wanted: string) => wanted, field: () => null }
  const fitting = ALL_COMPONENTS.filter(
    (one) =>
      one.id === one.name &&
      (one.name === value || (one.group !== 'part' && (kind ? one.kinds.includes(kind) : one.make(nothing).type === node.type))),
  )
  const options = fitting.map(({ name, label }) => ({ value: name, label: `${label[locale]} · ${name}` }))
  return <NameBox id={id} only={false} value={textOf(value)} options={options} onChange={onChange} />
}

/** The settings of the component of a node, each with a control of its own; what has no name stays JSON. */
export const ComponentSettings = ({ id, at, value, onChange }: WithId) => {
  const { locale } = useHost()
  const texts = TEXTS[locale]
  const node = useNode(at)
  const known = settingsOf(textOf(node['x-component']))
  const part = isObject(value) ? value : {}
  const names = new Set(known.map(({ name }) => name))
  const others = Object.fromEntries(Object.entries(part).filter(([name]) => !names.has(name)))
  const give = (next: JsonObject): void => onChange(Object.keys(next).length === 0 ? undefined : next)
  const json = (
    <ValueBox
      id={id}
      label={texts.json}
      value={Object.keys(others).length === 0 ? undefined : others}
      onChange={(next) => {
        if (next !== undefined && !isObject(next)) return
        give({ ...Object.fromEntries(Object.entries(part).filter(([name]) => names.has(name))), ...next })
      }}
    />
  )
  return (
    <div className="sb-design-group">
      {known.map((setting) => (
        <SettingControl
          key={setting.name}
          setting={setting}
          value={part[setting.name]}
          onChange={(next) => give(withMember(part, setting.name, next))}
        />
      ))}
      <Collapse
        ghost
        size="small"
        defaultActiveKey={known.length === 0 || Object.keys(others).length > 0 ? ['json'] : []}
        items={[{ key: 'json', label: texts.json, children: json }]}
      />
    </div>
  )
}

interface SettingProps {
  setting: Setting
  value: unknown
  onChange(value: unknown): void
}

const SettingControl = ({ setting: { kind, label: names }, value, onChange }: SettingProps) => {
  const id = useId()
  const { locale } = useHost()
  const label = names[locale]
  return (
    <div className="sb-design-control" {...(kind === 'text' ? { role: 'group', 'aria-labelledby': `${id}-label` } : {})}>
      {kind === 'text' ? (
        <span id={`${id}-label`} className="sb-design-label">
          {label}
        </span>
      ) : (
        <label id={`${id}-label`} htmlFor={id} className="sb-design-label">
          {label}
        </label>
      )}
      <GivenSetting id={id} kind={kind} label={label} value={value} onChange={onChange} />
    </div>
  )
}

const GivenSetting = ({
  id,
  kind,
  label,
  value,
  onChange,
}: Omit<SettingProps, 'setting'> & Pick<Setting, 'kind'> & { id: string; label: string }) => {
  const { locale } = useHost()
  const { unset, yes, no } = designerTexts[locale]
  // what is reckoned, or more than one value, stays what it is
  if (typeof value === 'string' ? value.includes('{{') : isObject(value) ? kind !== 'text' : Array.isArray(value))
    return <ValueBox id={id} value={value} onChange={onChange} />
  if (kind === 'text') return <TextControl label={label} value={value} onChange={onChange} />
  if (kind === 'number')
    return (
      <InputNumber
        id={id}
        size="small"
        className="sb-design-wide"
        placeholder={unset}
        value={typeof value === 'number' ? value : null}
        onChange={(next) => onChange(next ?? undefined)}
      />
    )
  if (kind === 'code')
    return <Input id={id} size="small" value={textOf(value)} onChange={({ target }) => onChange(target.value || undefined)} />
  const choices: readonly (readonly [unknown, string])[] =
    kind === 'flag'
      ? [
          [true, yes],
          [false, no],
        ]
      : kind.map((choice) => [choice, settingChoice(choice)[locale]] as const)
  return (
    <Select
      id={id}
      size="small"
      allowClear
      placeholder={unset}
      value={value === undefined ? undefined : String(value)}
      options={choices.map(([choice, name]) => ({ value: String(choice), label: name }))}
      onChange={(next: string | undefined) => onChange(choices.find(([choice]) => String(choice) === next)?.[0])}
    />
  )
}

interface Option {
  value: string | number
  label: unknown
}

/** The options that rows can show: values, or values with a label; undefined for trees, tables and expressions. */
const plainOptions = (value: unknown): readonly Option[] | undefined => {
  if (value === undefined) return []
  if (!Array.isArray(value)) return undefined
  const found = (value as unknown[]).map((one): Option | undefined => {
    if (typeof one === 'string' || typeof one === 'number') return { value: one, label: String(one) }
    if (!isObject(one) || Object.keys(one).some((name) => name !== 'value' && name !== 'label')) return undefined
    return typeof one.value === 'string' || typeof one.value === 'number'
      ? { value: one.value, label: one.label ?? '' }
      : undefined
  })
  return found.includes(undefined) ? undefined : found.flatMap((one) => one ?? [])
}

/** What can be chosen, one row each; a number stays one. */
export const OptionsControl = ({ id, value, onChange }: WithId) => {
  const { locale } = useHost()
  const texts = TEXTS[locale]
  const options = plainOptions(value)
  if (!options) return <ValueBox id={id} value={value} onChange={onChange} />
  const change = (next: readonly Option[]): void => onChange(next.length === 0 ? undefined : next)
  const blank = (): Option => {
    const free = freeId('option', ['option', ...options.map((one) => String(one.value))])
    const label: BilingualText = { zh: `选项 ${options.length + 1}`, en: `Option ${options.length + 1}` }
    return { value: free, label }
  }
  return (
    <div className="sb-design-rows">
      {options.map((option, index) => (
        <div key={index} className="sb-design-row">
          <div className="sb-design-compared">
            <Input
              size="small"
              aria-label={texts.value}
              value={String(option.value)}
              onChange={({ target }) => {
                const number = typeof option.value === 'number' && target.value.trim() !== '' ? Number(target.value) : NaN
                change(options.with(index, { ...option, value: Number.isNaN(number) ? target.value : number }))
              }}
            />
            <Button size="small" danger onClick={() => change(options.filter((_, position) => position !== index))}>
              {texts.remove}
            </Button>
          </div>
          <TextControl
            label={texts.label}
            value={option.label}
            onChange={(label) => change(options.with(index, { ...option, label: label ?? '' }))}
          />
        </div>
      ))}
      <Button id={id} size="small" onClick={() => change([...options, blank()])}>
        {texts.option}
      </Button>
    </div>
  )
}
