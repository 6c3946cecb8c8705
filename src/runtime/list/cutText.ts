import type { MouseEvent } from 'react'

/** A cell that cannot show all of its text tells it under the pointer; asked when somebody points, so that drawing costs nothing. */
export const tellCutCell = (event: MouseEvent): void => {
  const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('td, th') : null
  if (!cell || cell.classList.contains('sb-check')) return
  const long = cell.querySelector<HTMLElement>('.sb-long')
  if (cell.scrollWidth > cell.clientWidth || (long && isCut(long))) cell.title = cell.textContent ?? ''
  else cell.removeAttribute('title')
}

/** Less of it is seen than there is, in lines or in width. */
const isCut = (text: HTMLElement): boolean => text.scrollHeight > text.clientHeight + 1 || text.scrollWidth > text.clientWidth

/** The same for the title of a column. */
export const tellCutHeader = (event: MouseEvent): void => {
  const title = event.target instanceof Element ? event.target.closest('th')?.querySelector<HTMLElement>('.sb-th') : null
  if (!title) return
  if (isCut(title)) title.title = title.textContent ?? ''
  else title.removeAttribute('title')
}
