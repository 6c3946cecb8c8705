import { useEffect, useState } from 'react'

/** Rest after the last key until what need not follow each of them does, ms. */
const REST = 150

/** The value, or while it `mayWait` the last one until it rests: for what is read between edits, not while typing. */
export const useSettled = <T>(value: T, mayWait: boolean): T => {
  const [held, setHeld] = useState({ value })
  if (!mayWait && held.value !== value) setHeld({ value })
  useEffect(() => {
    if (held.value === value) return
    const timer = setTimeout(() => setHeld({ value }), REST)
    return () => clearTimeout(timer)
  }, [held, value])
  return mayWait ? held.value : value
}
