import { PageHost } from './runtime/page'
import { registerWidgets } from './runtime/widget'
import type { PageView } from './shell/portal/Pages'
import { widgets } from './widgets'

/** What the shell draws pages with: the runtime's PageHost, knowing every widget under src/widgets. */
export function portalView(): PageView {
  registerWidgets(...widgets)
  return PageHost
}
