import type { AnyWidget } from '../runtime/widget'

const folders = import.meta.glob<Readonly<Record<string, AnyWidget>>>('./*/index.ts', { eager: true })

/** Every widget there is: what the index.ts of each folder beside this file exports. A new widget touches its own folder only. */
export const widgets: readonly AnyWidget[] = Object.values(folders).flatMap((folder) => Object.values(folder))
