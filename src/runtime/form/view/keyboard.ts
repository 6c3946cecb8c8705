import type { KeyboardEvent } from 'react'

/** Enter in a one-line field moves on; in lists, calendars, text areas and buttons it keeps its own meaning. */
const movesOn = (event: KeyboardEvent): boolean => {
  const target = event.target
  if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return false
  return (
    target instanceof HTMLInputElement &&
    target.getAttribute('aria-expanded') === null &&
    !target.closest('.ant-picker, .ant-select, td')
  )
}

const isSubmit = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing

/** Keys of the whole form: Ctrl/Cmd+Enter submits, Enter goes to the next field that can be filled in and from the last one to the button. */
export const formKeys =
  (submit: () => void, focus: (address: string) => void) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    if (isSubmit(event)) {
      event.preventDefault()
      submit()
      return
    }
    if (!movesOn(event) || !(event.target instanceof Element)) {
      // Enter takes a day or an option; the browser would send the form as well.
      if (event.key === 'Enter' && event.target instanceof HTMLInputElement && !event.nativeEvent.isComposing)
        event.preventDefault()
      return
    }
    event.preventDefault()
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-address]')]
    const at = items.indexOf(event.target.closest<HTMLElement>('[data-address]') as HTMLElement)
    const next = items.slice(at + 1).find((item) => item.matches('.sb-form-item:not(.sb-form-read)'))
    if (next?.dataset.address) focus(next.dataset.address)
    else event.currentTarget.querySelector<HTMLElement>('[data-submit]')?.focus()
  }
