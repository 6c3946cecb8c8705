import type { ReactNode } from 'react'
import type { Failure } from '../failure'
import type { ListTexts } from './texts'

/** A state that stands instead of rows: heading, one sentence, what can be done. */
export const State = ({
  title,
  text,
  children,
  role,
}: {
  title: string
  text?: string
  children?: ReactNode
  role?: 'alert' | 'status'
}) => (
  <div className="sb-state" role={role}>
    <h2>{title}</h2>
    {text && <p>{text}</p>}
    {children}
  </div>
)

/** Why there are no rows when the call failed: no permission names whom to ask, anything else can be tried again. */
export const FailureState = ({ failure, texts, retry }: { failure: Failure; texts: ListTexts; retry: ReactNode }) =>
  failure.kind === 'denied' ? (
    <State
      role="alert"
      title={texts.denied}
      text={failure.permission ? texts.deniedBy(failure.permission) : `${failure.message} ${texts.deniedPlain}`}
    />
  ) : (
    <State role="alert" title={texts.failed} text={failure.message}>
      {retry}
    </State>
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
