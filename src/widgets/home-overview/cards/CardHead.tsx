import type { ReactNode } from 'react'
import { Led } from '../../../runtime/report/Figure'
import { useHost } from '../../../runtime/hostContext'
import type { OfferedCard } from './useCards'

/** What a card is called, leading to the whole of it. */
export const CardHead = ({ card: { title, address }, children }: { card: OfferedCard; children?: ReactNode }) => {
  const host = useHost()
  return (
    <header>
      <h2>
        <Led address={address !== null && host.canOpen(address) ? address : null}>{title}</Led>
      </h2>
      {children && <div className="sb-home-tools">{children}</div>}
    </header>
  )
}
