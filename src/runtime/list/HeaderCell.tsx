import type { PointerEvent } from 'react'
import type { QuerySort } from '../../schema/model'
import type { DrawnColumn } from './columns'
import { clampWidth } from './settings'
import type { ListTexts } from '../../headless/list/texts'

interface HeaderCellProps {
  column: DrawnColumn
  /** The columns that order the rows, the first one before the others. */
  sorts: readonly QuerySort[]
  texts: ListTexts
  /** `also`: behind the columns that order the rows already. */
  onSort(field: string, also: boolean): void
  onResize(id: string, width: number): void
}

/**
 * Follows the pointer from the edge of a header. While it moves only the `<col>` changes; the list is told once, at the end.
 * Keyboards set the width in the column settings.
 */
const resize = (event: PointerEvent<HTMLElement>, id: string, onResize: HeaderCellProps['onResize']): void => {
  const edge = event.currentTarget
  const table = edge.closest('table')
  const col = table?.querySelector<HTMLElement>(`col[data-column="${CSS.escape(id)}"]`)
  if (!table || !col || event.button !== 0) return
  event.preventDefault()
  event.stopPropagation()
  const start = event.clientX
  const from = edge.parentElement?.getBoundingClientRect().width ?? 0
  const rightToLeft = getComputedStyle(table).direction === 'rtl'
  let width = from
  const move = (next: globalThis.PointerEvent): void => {
    width = clampWidth(from + (rightToLeft ? start - next.clientX : next.clientX - start))
    col.style.width = `${width}px`
  }
  const end = (last: globalThis.PointerEvent): void => {
    edge.removeEventListener('pointermove', move)
    edge.removeEventListener('pointerup', end)
    edge.removeEventListener('pointercancel', end)
    edge.classList.remove('sb-edge-on')
    if (last.type === 'pointerup' && width !== from) onResize(id, width)
  }
  edge.setPointerCapture(event.pointerId)
  edge.classList.add('sb-edge-on')
  edge.addEventListener('pointermove', move)
  edge.addEventListener('pointerup', end)
  edge.addEventListener('pointercancel', end)
}

const ARIA = { asc: 'ascending', desc: 'descending' } as const

/** Title of a column; a click sorts, one with Shift sorts by it as well, the edge changes the width. */
export const HeaderCell = ({ column, sorts, texts, onSort, onResize }: HeaderCellProps) => {
  const { sortField } = column
  const at = sorts.findIndex(({ field }) => field === sortField)
  const sort = sorts[at]
  const rank = sort && sorts.length > 1 ? at + 1 : undefined
  return (
    <th
      scope="col"
      className={column.className}
      style={column.style}
      data-column={column.id}
      aria-sort={sort ? ARIA[sort.order] : sortField === undefined ? undefined : 'none'}
    >
      {sortField === undefined ? (
        <span className="sb-th">{column.title}</span>
      ) : (
        <button
          type="button"
          className="sb-sort"
          title={texts.sortAlso}
          aria-description={rank === undefined ? undefined : texts.sortRank(rank)}
          onClick={(event) => onSort(sortField, event.shiftKey)}
        >
          <span className="sb-th">{column.title}</span>
          {rank !== undefined && (
            <span className="sb-sort-rank" aria-hidden="true">
              {rank}
            </span>
          )}
        </button>
      )}
      <span
        className="sb-edge"
        aria-hidden="true"
        title={texts.resize(column.title)}
        onPointerDown={(event) => resize(event, column.id, onResize)}
      />
    </th>
  )
}
