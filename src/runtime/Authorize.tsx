import type { ReactNode } from 'react'
import { useHost } from './hostContext'

/**
 * Shows its children only to people who hold the permission; for all others they are not in the document (R266).
 * The gateway refuses the call in any case: this only spares people what they cannot do.
 *
 * @example <Authorize permission="crm:customer:export"><Button>…</Button></Authorize>
 */
export const Authorize = ({ permission, children }: { permission: string; children: ReactNode }) =>
  useHost().can(permission) ? children : null
