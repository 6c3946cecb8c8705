import { useEffect, useRef, useState } from 'react'
import type { FocusEvent, FormEvent, KeyboardEvent } from 'react'
import type { Dayjs } from 'dayjs'
import { isUnread, type Notation } from './notation'
import { isEnter } from '../typing'

const POPUP = '.ant-picker-dropdown'

interface Typed {
  /** What is typed now cannot be read: the box keeps it when it is left. */
  unreadable: boolean
  /** The texts that stand in the boxes while nobody types there: what could not be read. */
  kept: readonly (string | undefined)[]
  /** Hears what is typed, around the picker and before it reads it: React tells `input` before `change`. */
  note(event: FormEvent<HTMLElement>): void
  onBlur(event: FocusEvent<HTMLElement>): void
  onFocus(): void
  onKeyDown(event: KeyboardEvent<HTMLElement>): void
  onCalendarChange(moments: readonly (Dayjs | null)[], texts: readonly string[]): void
  /** The picker's own answer counts unless it read a part of what is typed. */
  counts(texts: readonly string[]): boolean
}

/**
 * Takes over what is typed into a picker, and what its calendar points at, when the person moves on: with Tab, Enter or a
 * click elsewhere. The picker itself drops what it cannot read and what was not confirmed. Text that cannot be read becomes
 * the value, so that whoever checks the value can say so.
 */
export const useTyped = (
  values: readonly unknown[],
  notation: Notation,
  onTake: (next: readonly unknown[]) => void,
  onDone: () => void,
): Typed => {
  const typed = useRef(new Map<number, string>())
  /** Could not be read; the picker may still hold the part of it that it understood while it was typed. */
  const refused = useRef(new Map<number, string>())
  const pointed = useRef<readonly (Dayjs | null)[] | null>(null)
  const focused = useRef(false)
  const [unreadable, setUnreadable] = useState(false)
  const [typing, setTyping] = useState<readonly number[]>([])
  const taken = useRef<string | null>(null)
  const shown = values.map(String).join('\n')

  // a picker that closes gives its value again: only once it has the one that was typed
  useEffect(() => {
    if (taken.current === null || taken.current === shown) return
    taken.current = null
    onDone()
  })

  const note = ({ target, currentTarget }: FormEvent<HTMLElement>): void => {
    if (!(target instanceof HTMLInputElement)) return
    const index = [...currentTarget.querySelectorAll('input')].indexOf(target)
    typed.current.set(index, target.value)
    setTyping((boxes) => (boxes.includes(index) ? boxes : [...boxes, index]))
    refused.current.delete(index)
    const text = target.value.trim()
    setUnreadable(text !== '' && notation.read(text) === undefined)
  }

  /** Whether there was something to take, and something else than what is there. */
  const take = (): { typed: boolean; changed: boolean } => {
    const next = [...values]
    const texts = [...typed.current]
    for (const [index, given] of texts) {
      const text = given.trim()
      const read = notation.read(text)
      if (text !== '' && read === undefined) refused.current.set(index, given)
      next[index] = text === '' ? null : (read ?? text)
    }
    if (texts.length === 0)
      pointed.current?.forEach((moment, index) => {
        if (moment) next[index] = notation.fromCalendar(moment)
      })
    typed.current.clear()
    setTyping([])
    pointed.current = null
    const changed = next.some((value, index) => value !== (values[index] ?? null))
    if (changed) onTake(next)
    return { typed: texts.length > 0, changed }
  }

  return {
    unreadable,
    kept: values.map((value, index) => (!typing.includes(index) && isUnread(value, notation) ? value : undefined)),
    note,
    onFocus: () => {
      if (!focused.current) pointed.current = null
      focused.current = true
    },
    onBlur: ({ relatedTarget }) => {
      // from the box into its calendar is not away
      if (relatedTarget instanceof Element && relatedTarget.closest(POPUP)) return
      focused.current = false
      take()
    },
    onKeyDown: (event) => {
      if (event.key === 'Escape') pointed.current = null
      if (!isEnter(event)) return
      const { typed: wasTyped, changed } = take()
      if (!wasTyped) return
      // the picker would open its calendar again
      event.preventDefault()
      if (changed) taken.current = shown
      else onDone()
    },
    onCalendarChange: (moments, texts) => {
      let chosen = false
      texts.forEach((text, index) => {
        if (typed.current.get(index) === text) return
        typed.current.delete(index)
        if (focused.current) refused.current.delete(index)
        chosen = true
      })
      if (chosen && focused.current) pointed.current = moments
    },
    counts: (texts) => [...typed.current, ...refused.current].every(([index, text]) => text === texts[index]),
  }
}
