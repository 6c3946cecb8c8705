import { eventOf } from '../../../src/schema/effect/weave'
import type { ListenerDocument } from '../../../src/schema/generated/listener'
import { moduleOf } from '../../../src/schema/validate/catalog'
import type { BilingualText } from '../../../src/schema/problem'
import type { Database } from '../../platform/database'
import type { LiveSchemas } from './live'

export interface Impact {
  /** People who arranged the columns of one of the pages for themselves. */
  personalSettings: number
  /** Views that people saved for themselves. */
  savedViews: number
  /** Pages that lead to one of the pages, or show one of the entities. */
  links: { page: string; path?: string; title: BilingualText }[]
  /** Roles with a page of their own. */
  variants: string[]
  /** What modules do when something happens to records of one of the entities: the module and the event. */
  listeners: { module: string; on: string }[]
}

/** Whom and what a release concerns beside the documents themselves. */
export async function impactOf(database: Database, live: LiveSchemas, targets: readonly string[]): Promise<Impact> {
  const { composed, pages } = live.snapshot(false)
  const named = targets.flatMap((target) => {
    const page = target.startsWith('page:') ? live.page(target.slice('page:'.length)) : undefined
    return page ? [page] : []
  })
  const paths = named.flatMap(({ document, name }) => [name, ...(document.path === undefined ? [] : [document.path])])
  const words = [
    ...paths,
    ...targets.flatMap((target) => (target.startsWith('page:') ? [] : [target.slice(target.indexOf(':') + 1)])),
  ]
  const own = new Set(named.map(({ name }) => name))
  const links = pages
    .filter(({ name, document }) => !own.has(name) && mentions(document, words))
    .map(({ name, document }) => ({
      page: name,
      ...(document.path === undefined ? {} : { path: document.path }),
      title: document.title,
    }))
  const { rows } = await database.query<{ settings: number; views: number }>(
    `select count(distinct staff_id) filter (where key not like '%views%')::int as settings, count(distinct staff_id) filter (where key like '%views%')::int as views
     from staff_preference where exists (select 1 from unnest($1::text[]) as path where position(path in key) > 0)`,
    [paths],
  )
  const listeners = live.files.flatMap(({ type, name, value }) =>
    type === 'listener' ? [{ module: moduleOf(name), document: value as ListenerDocument }] : [],
  )
  return {
    personalSettings: rows[0]?.settings ?? 0,
    savedViews: rows[0]?.views ?? 0,
    links,
    variants: [
      ...new Set(
        [...composed.outcomes.keys()]
          .filter(({ target, role }) => role !== '' && targets.includes(target))
          .map(({ role }) => role),
      ),
    ],
    listeners: listeners
      .filter(({ document }) => targets.includes(`entity:${eventOf(document).entity}`))
      .map(({ module, document: { on } }) => ({ module, on })),
  }
}

/** A text somewhere in the document is one of the words, or an address that begins with it. */
function mentions(value: unknown, words: readonly string[]): boolean {
  if (typeof value === 'string')
    return words.some((word) => value === word || value.startsWith(`${word}?`) || value.startsWith(`${word}/`))
  if (Array.isArray(value)) return value.some((item) => mentions(item, words))
  return typeof value === 'object' && value !== null && Object.values(value).some((item) => mentions(item, words))
}
