import './cellEditor.css'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { fieldsForm } from '../../../headless/form/fieldsForm'
import type { Refs, Row } from '../../../headless/row'
import type { ColumnModel, ListBodyModel, PageField, Scope } from '../../../schema/model'
import { FormView } from '../../form'
import type { FormHandle } from '../../form/view/session'
import { useHost } from '../../hostContext'
import { useTokenStyle } from '../../tokens'
import { isEnter } from '../../typing'
import { isChosen } from './editable'
import { cellTexts } from './texts'

/** Where the focus goes afterwards: to the cell, to the one before or behind it, or where the person has put it. */
export type CellMove = 'stay' | 'next' | 'previous' | 'away'

interface CellEditorProps {
  /** The cell as it stands in the document now; null: it is not there. */
  find(): HTMLElement | null
  row: Row
  title: string
  column: ColumnModel & { field: PageField }
  body: ListBodyModel
  /** Roots of the row. */
  scope: Scope
  refs: Refs
  onSaved(move: CellMove): void
  onClose(move: CellMove): void
}

/** A control is not squeezed into a narrow column. */
const LEAST_WIDTH = 200
const EDGE = 8

interface Place {
  left: number
  top: number
  width: number
  height: number
}

const measure = (cell: HTMLElement | null): Place | null => {
  if (!cell) return null
  const { left, top, width, height } = cell.getBoundingClientRect()
  const wide = Math.max(width, LEAST_WIDTH)
  return { left: Math.max(EDGE, Math.min(left, window.innerWidth - wide - EDGE)), top, width: wide, height }
}

/** The form of one field over its cell. Enter saves, Escape restores, Tab saves and goes on; leaving it saves as well. */
const CellEditor = ({ find, row, title, column, body, scope, refs, onSaved, onClose }: CellEditorProps) => {
  const host = useHost()
  const texts = cellTexts[host.locale]
  const style = useTokenStyle()
  const { field } = column
  const [place, setPlace] = useState(() => measure(find()))
  const panel = useRef<HTMLDivElement>(null)
  const handle = useRef<FormHandle>(null)
  const move = useRef<CellMove>('stay')
  const inside = useRef(false)
  const chosen = isChosen(field.kind)

  const form = useMemo(
    () =>
      fieldsForm({
        id: `${body.entity}#${field.name}`,
        title: column.title,
        fields: [field],
        required: field.required ? [field.name] : [],
        initial: { [field.name]: row[field.name] },
        held: row,
        call: { method: 'POST', path: `${body.path}/save` },
        params: (values) => ({ id: row.id, version: row.version, [field.name]: values[field.name] ?? null }),
        submitLabel: texts.save,
        success: '',
        locale: host.locale,
        source: column.source,
      }),
    // the row as it was when the cell was opened: a newer version is a conflict that the person decides
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [],
  )

  const leave = useCallback(
    (next: CellMove): void => {
      move.current = next
      if (handle.current?.isDirty()) panel.current?.querySelector('form')?.requestSubmit()
      else onClose(next)
    },
    [onClose],
  )

  useLayoutEffect(() => {
    const follow = (): void => {
      const next = measure(find())
      if (next) setPlace(next)
      else onClose('away')
    }
    window.addEventListener('scroll', follow, { capture: true, passive: true })
    window.addEventListener('resize', follow)
    return () => {
      window.removeEventListener('scroll', follow, { capture: true })
      window.removeEventListener('resize', follow)
    }
  }, [find, onClose])

  useEffect(() => {
    // lists and calendars of the control stand elsewhere in the document, and belong to it
    const onPointerDown = (): void => {
      if (!inside.current) leave('away')
      inside.current = false
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => document.removeEventListener('pointerdown', onPointerDown)
  }, [leave])

  const onValues = useCallback(() => {
    if (!chosen) return
    // the control has its own to do first
    setTimeout(() => {
      if (handle.current?.isDirty()) leave('stay')
    }, 0)
  }, [chosen, leave])

  const onKeyDown = (event: KeyboardEvent): void => {
    // a question over the form has keys of its own
    if (event.target instanceof Element && event.target.closest('.ant-modal')) return
    if (event.key === 'Escape') onClose('stay')
    else if (event.key === 'Tab') leave(event.shiftKey ? 'previous' : 'next')
    else if (!chosen && isEnter(event) && !event.shiftKey) leave('stay')
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  if (!place) return null
  return createPortal(
    <div
      ref={panel}
      className="sb-cell-editor"
      role="dialog"
      aria-label={texts.label(column.title, title)}
      style={{ ...style, left: place.left, top: place.top, width: place.width, minHeight: place.height }}
      onPointerDown={() => (inside.current = true)}
      onKeyDownCapture={onKeyDown}
    >
      <FormView
        model={form}
        scope={scope}
        refs={refs}
        quiet
        opened={chosen}
        handle={handle}
        onValues={onValues}
        onDone={() => onSaved(move.current)}
      />
      <small>{texts.keys(chosen)}</small>
    </div>,
    document.body,
  )
}

export default CellEditor
