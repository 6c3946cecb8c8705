import { Input } from 'antd'
import { useLayoutEffect, useRef, useState } from 'react'
import type { InputRef } from 'antd'
import { exactText } from '../../../schema/formats/decimal'
import { filterNumberInput, jsonNumber, readNumber, showNumber } from '../../../schema/formats/number'
import { useHost } from '../../hostContext'
import { unitOf } from '../../../headless/form/node'
import type { ControlProps } from './control'

export interface NumberInputProps extends Omit<ControlProps, 'node' | 'choices' | 'props' | 'path'> {
  /** Digits after the decimal point that may be typed (R273: 4 when nothing else is said). */
  decimals?: number
  /** 'number' for JSON numbers (text where one would lose digits: it is refused), 'text' for decimal kinds, which travel as text. */
  as: 'number' | 'text'
  node?: ControlProps['node']
  /** Stands before the unit of the field: a percent sign, a currency; '' while it is not known yet. */
  suffix?: string | undefined
}

const COMMA = /[,，]/

const textOf = (value: unknown): string => (typeof value === 'number' || typeof value === 'string' ? String(value) : '')

/**
 * A number box: only digits, one minus sign in front and one decimal point get in (R272), at most `decimals` digits after it
 * (R273). A pasted "1,234.50" or full-width digits are understood. A comma that is typed stays in sight until the box is left: it is
 * read as files are read ("0,5" and "1,234"), or the text stays and is told to be no number. Thousands are grouped while nobody types.
 */
export const NumberInput = ({
  id,
  value,
  onChange,
  disabled,
  readOnly,
  placeholder,
  describedBy,
  cell,
  node,
  decimals = 4,
  as,
  suffix,
}: NumberInputProps) => {
  // "1." and "-" are on the way to a number and none yet: what is typed is kept next to the value
  const [typed, setTyped] = useState<{ text: string; value: unknown } | null>(null)
  const { locale } = useHost()
  const input = useRef<InputRef>(null)
  const [focused, setFocused] = useState(false)
  const composing = useRef(false)
  // the head of a column says the unit of its cells
  const unit = [suffix, node && !cell ? unitOf(node) : undefined].filter(Boolean).join(' ')
  const unitId = `${id}-unit`
  const plain = textOf(value)
  const resting = focused ? plain : showNumber(value, locale) || plain
  const shown = typed && Object.is(typed.value, value) ? typed.text : resting
  // without its commas the text is another one: what the keyboard had selected is selected again
  useLayoutEffect(() => {
    if (focused) input.current?.select()
  }, [focused])

  const take = (given: string): void => {
    const text = COMMA.test(given) ? given.normalize('NFKC').replace(/[^0-9,.-]/g, '') : filterNumberInput(given, decimals)
    const read = readNumber(text)
    const exact = read && COMMA.test(text) ? readNumber(filterNumberInput(exactText(read), decimals)) : read
    const next = exact ? (as === 'number' ? jsonNumber(exact) : exactText(exact)) : null
    // an amount typed with its zeros keeps them while it is typed
    setTyped({ text, value: next })
    onChange(next)
  }

  return (
    <Input
      ref={input}
      id={id}
      value={shown}
      onFocus={() => setFocused(true)}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      onChange={({ target }) => {
        // what an input method has not finished is its own: another text would make it begin anew
        if (composing.current) setTyped({ text: target.value, value })
        else take(target.value)
      }}
      onCompositionStart={() => (composing.current = true)}
      onCompositionEnd={({ currentTarget }) => {
        composing.current = false
        take(currentTarget.value)
      }}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text/plain')
        const exact = /[\t\n]/.test(pasted.trim()) ? undefined : readNumber(pasted)
        const { selectionStart, selectionEnd, value: now } = event.currentTarget
        // a whole number over the whole content; pieces are left to the filter
        if (!exact || readOnly || selectionStart !== 0 || selectionEnd !== now.length) return
        event.preventDefault()
        take(exactText(exact))
      }}
      onBlur={() => {
        // no number: the text itself is what whoever checks the value tells about
        if (typed && COMMA.test(typed.text) && typed.value === null) onChange(typed.text)
        setTyped(null)
        setFocused(false)
      }}
      disabled={disabled}
      readOnly={readOnly}
      placeholder={placeholder}
      // a box that gets its suffix later is made anew by antd, and what somebody types meanwhile is lost
      suffix={unit || suffix !== undefined ? <span id={unitId}>{unit}</span> : undefined}
      aria-describedby={[describedBy, unit && unitId].filter(Boolean).join(' ') || undefined}
      autoComplete="off"
      variant={cell ? 'borderless' : undefined}
    />
  )
}
