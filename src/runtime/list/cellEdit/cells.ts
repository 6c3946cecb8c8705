import type { KeyboardEvent } from 'react'
import { isEnter } from '../../typing'
import type { CellPlace } from './editable'

/** The attribute of a cell that can be changed: the id of its column. */
export const CELL = 'data-sb-cell'

const selectorOf = ({ row, column }: CellPlace): string =>
  `tr[data-key="${CSS.escape(row)}"] > td[${CELL}="${CSS.escape(column)}"]`

/** The element of a cell, where it is in the document. */
export const findCell = (root: ParentNode | null, place: CellPlace): HTMLElement | null =>
  root?.querySelector<HTMLElement>(selectorOf(place)) ?? null

/** The cell that an element is, or lies in. */
export const cellOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(`td[${CELL}]`) : null

export const placeOf = (cell: HTMLElement): CellPlace => ({
  row: cell.parentElement?.dataset.key ?? '',
  column: cell.getAttribute(CELL) ?? '',
})

/** Keys of a row and its cells: the arrows go along what can be changed, Enter and F2 change it. Answers whether the key was one of them. */
export const cellKeys = (event: KeyboardEvent, row: HTMLElement, onEdit: (place: CellPlace) => void): boolean => {
  const { target } = event
  const cells = [...row.querySelectorAll<HTMLElement>(`td[${CELL}]`)]
  const at = cells.indexOf(target as HTMLElement)
  if (at < 0 && target !== row) return false
  const first = cells[0]
  if (event.key === 'F2' || (at >= 0 && isEnter(event))) {
    const cell = cells[at] ?? first
    if (cell) onEdit(placeOf(cell))
    return cell !== undefined
  }
  if (event.key === 'ArrowRight') cells[at + 1]?.focus()
  else if (event.key === 'ArrowLeft' && at >= 0) (cells[at - 1] ?? row).focus()
  else if (event.key === 'Escape' && at >= 0) row.focus()
  else return false
  return first !== undefined
}
