import './state.css'
import type { ReactNode } from 'react'

/** A state that stands instead of content: heading, one sentence, what can be done. */
export const State = ({
  title,
  text,
  children,
  role,
}: {
  title: string
  /** One sentence. */
  text?: ReactNode
  children?: ReactNode
  role?: 'alert' | 'status'
}) => (
  <div className="sb-state" role={role}>
    <h2>{title}</h2>
    {text && <p>{text}</p>}
    {children}
  </div>
)

/** Rows of the right height while nothing is there yet. */
export const Skeleton = ({
  rows,
  columns,
  rowHeight,
  label,
}: {
  rows: number
  columns: number
  rowHeight: number
  label: string
}) => (
  <div role="status" aria-label={label} aria-busy="true">
    {Array.from({ length: rows + 1 }, (_, row) => (
      <div key={row} className="sb-skeleton" style={{ height: rowHeight }} aria-hidden="true">
        {Array.from({ length: columns }, (_, column) => (
          <span key={column} className="sb-bone" style={{ width: `${40 + ((row * 7 + column * 13) % 5) * 10}%` }} />
        ))}
      </div>
    ))}
  </div>
)
