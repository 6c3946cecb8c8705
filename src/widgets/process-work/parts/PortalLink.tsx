import type { ReactNode } from 'react'
import { useHost } from '../../../runtime/hostContext'

/** An address of the portal that follows the usual clicks: plain ones stay in the window. Whoever may not open it reads the text. */
export const PortalLink = ({
  address,
  className,
  label,
  children,
}: {
  address: string
  className?: string
  label?: string
  children: ReactNode
}) => {
  const host = useHost()
  if (!host.canOpen(address)) return <span className={className}>{children}</span>
  return (
    <a
      href={address}
      className={className}
      aria-label={label}
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
