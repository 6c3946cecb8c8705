import { AutoComplete, Input } from 'antd'
import { memo, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import type { DictionaryItem } from '../../../schema/generated/dictionary'
import { isObject } from '../../../schema/overlay'
import { valueAt, parentOf } from '../document/address'
import { useDesign } from '../editor/design'
import { designerTexts } from '../texts'
import type { ControlProps } from './controlProps'

const print = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, typeof value === 'object' ? 1 : 0)

/** What was typed as a value: JSON where it is some, else the text itself. Half-written objects are undefined. */
export const readTyped = (text: string): { value: unknown } | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return { value: undefined }
  try {
    return { value: JSON.parse(trimmed) as unknown }
  } catch {
    return /^(\{(?!\{)|\[|")/.test(trimmed) ? undefined : { value: text }
  }
}

/** Any value: a text, a number, an expression, or JSON. The values of a dictionary are offered where its field is known. */
export const JsonValue = ({ id, at, word, value, onChange }: ControlProps & { id: string }) => {
  const { document, labels, dictionaries } = useDesign()
  const sibling = valueAt(document, parentOf(at).parent)
  const name = isObject(sibling) && typeof sibling.field === 'string' ? sibling.field : undefined
  const dictionary = name === undefined ? undefined : labels.field(at, name)?.field['x-dictionary']
  const flag = Array.isArray(word.type) && word.type.includes('boolean')
  const items = dictionary === undefined ? undefined : dictionaries[dictionary]?.items
  return <ValueBox id={id} value={value} flag={flag} items={items ?? NONE} onChange={onChange} />
}
const NONE: readonly DictionaryItem[] = []

interface ValueBoxProps {
  id: string
  value: unknown
  /** Yes and no are offered. */
  flag: boolean
  /** Values that are offered. */
  items: readonly DictionaryItem[]
  onChange(value: unknown): void
}

const ValueBox = memo(function ValueBox({ id, value, flag, items, onChange }: ValueBoxProps) {
  const { locale } = useHost()
  const [typed, setTyped] = useState<string | null>(null)
  const { yes, no } = designerTexts[locale]
  const options = flag
    ? [
        { value: 'true', label: yes },
        { value: 'false', label: no },
      ]
    : items.map((item) => ({ value: item.code, label: `${item.label[locale]} · ${item.code}` }))
  const shown = typed ?? print(value)
  const wrong = typed !== null && readTyped(typed) === undefined
  const change = (text: string): void => {
    const read = readTyped(text)
    setTyped(read ? null : text)
    if (read) onChange(read.value)
  }
  return (
    <>
      <AutoComplete id={id} size="small" value={shown} options={options} onChange={(text: string) => change(text)}>
        <Input.TextArea
          className="sb-design-mono"
          autoSize={{ minRows: 1, maxRows: 8 }}
          spellCheck={false}
          status={wrong ? 'error' : ''}
        />
      </AutoComplete>
      {wrong && (
        <small role="alert" className="sb-design-wrong">
          {designerTexts[locale].notJson}
        </small>
      )}
    </>
  )
})
