import { Button } from 'antd'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { isObject } from '../../../schema/overlay'
import type { BilingualText } from '../../../schema/problem'
import { textOf, withMember, type WithId } from '../panel/controlProps'
import { ValueBox } from '../panel/JsonValue'
import { designerTexts } from '../texts'

/** What a linkage sets of a field, by the name that Formily has for it. */
const STATES: Readonly<Record<string, BilingualText>> = {
  visible: { zh: '显示', en: 'Shown' },
  hidden: { zh: '隐藏，保留值', en: 'Hidden, the value stays' },
  display: { zh: '显示方式', en: 'Display' },
  value: { zh: '值', en: 'Value' },
  required: { zh: '必填', en: 'Required' },
  disabled: { zh: '禁用', en: 'Disabled' },
  pattern: { zh: '状态', en: 'Mode' },
  title: { zh: '标题', en: 'Title' },
  description: { zh: '说明', en: 'Help text' },
  dataSource: { zh: '选项', en: 'Options' },
  loading: { zh: '加载中', en: 'Loading' },
  'component[1].placeholder': { zh: '占位文字', en: 'Placeholder' },
}
const FLAGS: ReadonlySet<string> = new Set(['visible', 'hidden', 'required', 'disabled', 'loading'])

/** Names of what a field is, each with what it becomes. */
export const StateControl = ({ id, value, onChange }: WithId) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  const part = isObject(value) ? value : {}
  const nameOf = (name: string): string => STATES[name]?.[locale] ?? name
  return (
    <div className="sb-design-rows">
      {Object.entries(part).map(([name, given]) => (
        <div key={name} className="sb-design-row">
          <span className="sb-design-label">{nameOf(name)}</span>
          <ValueBox
            id={`${id}-${name}`}
            label={nameOf(name)}
            value={given}
            flag={FLAGS.has(name)}
            onChange={(next) => onChange({ ...part, [name]: next ?? '' })}
          />
          <Button size="small" danger onClick={() => onChange(withMember(part, name, undefined))}>
            {texts.remove}
          </Button>
        </div>
      ))}
      <SearchSelect
        id={id}
        size="small"
        aria-label={texts.add}
        placeholder={texts.add}
        value={null}
        options={Object.keys(STATES)
          .filter((name) => part[name] === undefined)
          .map((name) => ({ value: name, label: `${nameOf(name)} · ${name}` }))}
        onSelect={(name: string | null) => {
          if (name !== null) onChange({ ...part, [textOf(name)]: FLAGS.has(name) ? true : '' })
        }}
      />
    </div>
  )
}
