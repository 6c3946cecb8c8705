import { AutoComplete, Input } from 'antd'
import { memo, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { designerTexts } from '../texts'
import type { WithId } from './controlProps'

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

/** Any value: a text, a number, an expression, or JSON. */
export const JsonValue = ({ id, word, value, onChange }: WithId) => (
  <ValueBox id={id} value={value} flag={Array.isArray(word.type) && word.type.includes('boolean')} onChange={onChange} />
)

interface ValueBoxProps {
  id: string
  value: unknown
  /** Its name, where no label has its id. */
  label?: string
  /** Yes and no are offered. */
  flag?: boolean
  onChange(value: unknown): void
}

export const ValueBox = memo(function ValueBox({ id, label, value, flag = false, onChange }: ValueBoxProps) {
  const { locale } = useHost()
  const [typed, setTyped] = useState<string | null>(null)
  const { yes, no } = designerTexts[locale]
  const options = flag
    ? [
        { value: 'true', label: yes },
        { value: 'false', label: no },
      ]
    : []
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
          aria-label={label}
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
