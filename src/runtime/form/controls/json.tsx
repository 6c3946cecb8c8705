import { Input } from 'antd'
import { useState } from 'react'
import { useText } from '../view/session'
import type { ControlProps } from './control'
import { jsonText } from './shown'

/** Structured data as JSON text. It becomes the value when it can be read; until then the last good value stays. */
const Json = ({ id, value, onChange, disabled, readOnly, placeholder, describedBy }: ControlProps) => {
  const t = useText()
  const [typed, setTyped] = useState<{ text: string; problem: string; value: unknown } | null>(null)
  const current = typed && Object.is(typed.value, value) ? typed : { text: jsonText(value), problem: '' }
  const take = (text: string): void => {
    try {
      const next: unknown = text.trim() ? JSON.parse(text) : null
      setTyped({ text, problem: '', value: next })
      onChange(next)
    } catch (error) {
      setTyped({ text, problem: error instanceof Error ? error.message : String(error), value })
    }
  }
  return (
    <>
      <Input.TextArea
        id={id}
        value={current.text}
        onChange={(event) => take(event.target.value)}
        autoSize={{ minRows: 4, maxRows: 16 }}
        spellCheck={false}
        style={{ fontFamily: 'var(--sb-mono)' }}
        disabled={disabled}
        readOnly={readOnly}
        placeholder={placeholder}
        aria-describedby={describedBy}
      />
      {current.problem ? <div className="sb-form-error">{t('badJson', { reason: current.problem })}</div> : null}
    </>
  )
}

export default Json
