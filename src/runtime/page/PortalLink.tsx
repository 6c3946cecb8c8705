import type { ReactNode } from 'react'
import { useHost } from '../hostContext'

/** An address of the portal that follows the usual clicks; whoever may not open it reads the text. */
export const PortalLink = ({ address, children }: { address: string; children: ReactNode }) => {
  const host = useHost()
  if (!host.canOpen(address)) return children
  return (
    <a
      href={address}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        host.navigate(address)
      }}
    >
      {children}
    </a>
  )
}
