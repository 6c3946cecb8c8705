import { useEffect, useRef, useState } from 'react'
import { isEnter } from '../typing'

/** A pause in typing after which the list is asked. */
const PAUSE = 400

/** The quick keyword, a native search box in antd's clothes. It asks after a pause, at once on Enter, and never in the middle of an input method's composition. */
export const Keyword = ({
  value,
  label,
  placeholder,
  onChange,
}: {
  value: string
  label: string
  placeholder: string
  onChange(value: string): void
}) => {
  const [typed, setTyped] = useState(value)
  const [given, setGiven] = useState(value)
  const composing = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  if (given !== value) {
    // Somebody else changed the query (back button, "clear filters").
    setGiven(value)
    setTyped(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = (text: string, wait: number): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setGiven(text.trim())
      onChange(text)
    }, wait)
  }
  return (
    <input
      className="sb-input sb-keyword"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      title={label}
      maxLength={100}
      value={typed}
      data-sb-keyword=""
      onCompositionStart={() => {
        composing.current = true
      }}
      onCompositionEnd={(event) => {
        composing.current = false
        ask(event.currentTarget.value, PAUSE)
      }}
      onChange={(event) => {
        setTyped(event.target.value)
        if (!composing.current) ask(event.target.value, event.target.value === '' ? 0 : PAUSE)
      }}
      onKeyDown={(event) => {
        if (isEnter(event)) ask(event.currentTarget.value, 0)
      }}
    />
  )
}
