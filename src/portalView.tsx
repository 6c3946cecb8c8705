import { PageHost } from './runtime/page'
import { registerWidgets } from './runtime/widget'
import { startPortal, type PortalParts } from './shell/portal/startPortal'
import { widgets } from './widgets'

/** Starts the portal of a signed-in person: the shell, which draws its pages with the runtime's PageHost, knowing every widget under src/widgets. */
export function openPortal(parts: Omit<PortalParts, 'View'>): void {
  registerWidgets(...widgets)
  startPortal({ ...parts, View: PageHost })
}
