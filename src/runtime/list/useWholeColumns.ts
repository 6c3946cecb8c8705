import { useEffect, type RefObject } from 'react'
import type { DrawnColumn } from './columns'

type Measured = Pick<DrawnColumn, 'id' | 'width' | 'flexible'> & { model: Pick<DrawnColumn['model'], 'align' | 'pin'> }

/** More than this makes a column of words look empty. */
const MOST_GROWN = 240

/**
 * Which column grows, and by how much, so that none stands half behind what is pinned at the end: half an amount reads as
 * another amount. Null: nothing is covered, or nothing can grow.
 */
export const grownColumn = (
  columns: readonly Measured[],
  lead: number,
  trail: number,
  room: number,
): { id: string; by: number } | null => {
  const free = columns.filter(({ model }) => model.pin !== 'right')
  const pinnedEnd = columns.reduce((sum, { width, model }) => sum + (model.pin === 'right' ? width : 0), trail)
  if (pinnedEnd === 0 || columns.reduce((sum, { width }) => sum + width, lead + trail) <= room) return null
  let end = lead
  for (const [index, { width }] of free.entries()) {
    if (end + width > room - pinnedEnd) {
      const by = room - pinnedEnd - end
      const before = free.slice(0, index)
      const grows = before.find(({ flexible }) => flexible) ?? before.findLast(({ model }) => model.align === 'left')
      return grows && by > 0 && by <= MOST_GROWN ? { id: grows.id, by } : null
    }
    end += width
  }
  return null
}

/** Keeps the columns of a table whole at the edge of its actions, whatever the width of the window. */
export const useWholeColumns = (
  scroller: RefObject<HTMLDivElement | null>,
  columns: readonly DrawnColumn[],
  lead: number,
  trail: number,
): void => {
  useEffect(() => {
    const element = scroller.current
    const table = element?.querySelector('table')
    if (!element || !table || typeof ResizeObserver !== 'function') return
    const least = columns.reduce((sum, { width }) => sum + width, lead + trail)
    const colOf = (id: string): HTMLElement | null => table.querySelector(`col[data-column="${CSS.escape(id)}"]`)
    let last: string | null = null
    const settle = (grown: { id: string; by: number } | null): void => {
      table.style.minWidth = `${least + (grown?.by ?? 0)}px`
      const before = columns.find(({ id }) => id === last)
      if (before) colOf(before.id)?.style.setProperty('width', before.flexible ? '' : `${before.width}px`)
      const column = columns.find(({ id }) => id === grown?.id)
      if (column && grown) colOf(column.id)?.style.setProperty('width', `${column.width + grown.by}px`)
      last = grown?.id ?? null
    }
    // it answers after the layout and before the paint
    const observer = new ResizeObserver(() => settle(grownColumn(columns, lead, trail, element.clientWidth)))
    observer.observe(element)
    return () => {
      observer.disconnect()
      settle(null)
    }
  }, [scroller, columns, lead, trail])
}
