import type { KeyboardEvent } from 'react'
import { isEnter, isSend } from '../../typing'

/** Enter in a one-line field moves on; in lists, calendars, text areas and buttons it keeps its own meaning. */
const movesOn = (event: KeyboardEvent): boolean => {
  const target = event.target
  if (!isEnter(event) || event.shiftKey || event.altKey) return false
  return (
    target instanceof HTMLInputElement &&
    target.getAttribute('aria-expanded') === null &&
    !target.closest('.ant-picker, .ant-select, td')
  )
}

/** Keys of the whole form: Ctrl/Cmd+Enter submits, Enter goes to the next field that can be filled in and from the last one to the button. */
export const formKeys =
  (submit: () => void, focus: (address: string) => void) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    if (isSend(event)) {
      event.preventDefault()
      submit()
      return
    }
    if (!movesOn(event) || !(event.target instanceof Element)) {
      // Enter takes a day or an option; the browser would send the form as well.
      if (isEnter(event) && event.target instanceof HTMLInputElement) event.preventDefault()
      return
    }
    event.preventDefault()
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-address]')]
    const at = items.indexOf(event.target.closest<HTMLElement>('[data-address]') as HTMLElement)
    const next = items.slice(at + 1).find((item) => item.matches('.sb-form-item:not(.sb-form-read)'))
    if (next?.dataset.address) focus(next.dataset.address)
    else event.currentTarget.querySelector<HTMLElement>('[data-submit]')?.focus()
  }
