import { PageHost } from './runtime/page'
import { registerWidgets, type WidgetDefinition } from './runtime/widget'
import type { PageView } from './shell/portal/Pages'

const modules = import.meta.glob<Record<string, WidgetDefinition>>('./widgets/*/index.ts', { eager: true })

/** What the shell draws pages with: the runtime's PageHost, knowing every widget under src/widgets. */
export function portalView(): PageView {
  for (const module of Object.values(modules)) registerWidgets(...Object.values(module))
  return PageHost
}
