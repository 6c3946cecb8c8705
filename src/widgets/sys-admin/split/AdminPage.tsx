import './split.css'
import type { ReactNode } from 'react'
import { useTokenStyle } from '../../../runtime/tokens'

interface AdminPageProps {
  title: string
  /** One line of help. */
  help?: string
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** Frame of a management page: title, help, actions, content. */
export const AdminPage = ({ title, help, actions, children }: AdminPageProps) => (
  <div className="sb-admin" style={useTokenStyle()}>
    <header className="sb-admin-title">
      <h1>{title}</h1>
      {actions && <div className="sb-admin-actions">{actions}</div>}
    </header>
    {help && <p className="sb-admin-help">{help}</p>}
    {children}
  </div>
)
