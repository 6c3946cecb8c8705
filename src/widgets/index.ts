import type { WidgetDefinition } from '../runtime/widget'

const modules = import.meta.glob<Record<string, WidgetDefinition>>('./*/index.ts', { eager: true })

/** Every widget: what the folders beside this file export. A new widget is a new folder. */
export const widgets: readonly WidgetDefinition[] = Object.values(modules).flatMap((module) => Object.values(module))
