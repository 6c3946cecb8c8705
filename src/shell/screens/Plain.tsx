import './screens.css'
import type { ReactNode } from 'react'

interface PlainProps {
  /** A short word above the title, e.g. 404. */
  code?: string
  title: string
  text?: ReactNode
  actions?: ReactNode
  role?: 'alert'
}

/** A screen in the place of a page: what it is, one sentence, what to do next. */
export function Plain({ code, title, text, actions, role }: PlainProps) {
  return (
    <section className="sb-screen" role={role}>
      {code !== undefined && (
        <p className="sb-screen-code" aria-hidden>
          {code}
        </p>
      )}
      <h1>{title}</h1>
      {text !== undefined && <p className="sb-screen-text">{text}</p>}
      {actions}
    </section>
  )
}
