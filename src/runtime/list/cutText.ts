import type { MouseEvent } from 'react'

/** A cell that cannot show all of its text tells it under the pointer; asked when somebody points, so that drawing costs nothing. */
export const tellCutCell = (event: MouseEvent): void => {
  const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('td, th') : null
  if (!cell || cell.classList.contains('sb-check')) return
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? ''
  else cell.removeAttribute('title')
}

/** The same for the title of a column. */
export const tellCutHeader = (event: MouseEvent): void => {
  const title = event.target instanceof Element ? event.target.closest('th')?.querySelector<HTMLElement>('.sb-th') : null
  if (!title) return
  if (title.scrollHeight > title.clientHeight + 1 || title.scrollWidth > title.clientWidth) title.title = title.textContent ?? ''
  else title.removeAttribute('title')
}
