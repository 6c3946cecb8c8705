import { Suspense, useCallback, useLayoutEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { rowScope, type Refs, type Row } from '../../../headless/row'
import type { ListBodyModel, Scope } from '../../../schema/model'
import { lazyPart } from '../../part/lazyPart'
import type { DrawnColumn } from '../columns'
import type { ListController } from '../types'
import { cellBeside, type CellPlace } from './editable'
import { findCell } from './cells'
import type { CellMove } from './CellEditor'

const CellEditor = lazyPart(() => import('./CellEditor'), 'over')

interface Given {
  list: ListController
  body: ListBodyModel
  columns: readonly DrawnColumn[]
  rows: readonly Row[]
  scope: Scope
  refs: Refs
  titleOf(row: Row): string
  /** The element around the table. */
  frame: RefObject<HTMLElement | null>
  /** Something was saved. */
  onChanged: (() => void) | undefined
}

interface CellEdit {
  /** Opens the control of a cell. Undefined: the list has none that could be changed. */
  onEdit: ((place: CellPlace) => void) | undefined
  outlet: ReactNode
}

/** Values that are changed where they stand in a table. */
export const useCellEdit = ({ list, body, columns, rows, scope, refs, titleOf, frame, onChanged }: Given): CellEdit => {
  const [place, setPlace] = useState<CellPlace | null>(null)
  const shown = useRef({ rows, columns })
  useLayoutEffect(() => void (shown.current = { rows, columns }), [rows, columns])
  const onEdit = useMemo(
    () => (columns.some(({ model }) => model.edit) ? (next: CellPlace): void => setPlace(next) : undefined),
    [columns],
  )
  const row = place ? rows.find((one) => list.keyOf(one) === place.row) : undefined
  const column = columns.find(({ id }) => id === place?.column)?.model
  const find = useCallback(() => (place ? findCell(frame.current, place) : null), [place, frame])

  const go = useCallback(
    (move: CellMove): void => {
      if (!place) return
      const step = move === 'next' ? 1 : move === 'previous' ? -1 : undefined
      const next = step && cellBeside(shown.current.rows, shown.current.columns, list.keyOf, place, step)
      setPlace(next ?? null)
      const cell = move === 'away' ? null : findCell(frame.current, next ?? place)
      cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      cell?.focus()
    },
    [place, list, frame],
  )
  const onSaved = useCallback(
    (move: CellMove): void => {
      const saved = place
      go(move)
      if (!saved) return
      void list.refresh(saved.row).then(() => onChanged?.())
    },
    [place, go, list, onChanged],
  )
  const rooted = useMemo(() => (row ? rowScope(scope, row) : scope), [scope, row])

  const outlet =
    place && row && column?.field ? (
      <Suspense fallback={null}>
        <CellEditor
          key={`${place.row} ${place.column}`}
          find={find}
          row={row}
          title={titleOf(row)}
          column={{ ...column, field: column.field }}
          body={body}
          scope={rooted}
          refs={refs}
          onSaved={onSaved}
          onClose={go}
        />
      </Suspense>
    ) : null
  return { onEdit, outlet }
}
