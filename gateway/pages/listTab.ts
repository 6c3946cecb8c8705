import type { QueryCondition, QuerySort, QueryWhere } from '../../src/schema/model'
import { queryOf } from '../../src/schema/where'
import { compileExpression, isExpression, type Environment } from '../../src/schema/expression'
import type { PageDocument } from '../../src/schema/generated/page'
import type { RequestContext } from '../platform/http'
import { dayOf } from '../platform/calendar'

/** A tab of a list: the page's name and the tab's id. */
export interface TabName {
  page: string
  tab: string
}

/** What a tab asks for, and where it stands. */
export interface ListTab {
  entity: string
  address: string
  view?: string
  where: QueryWhere[]
  sort: readonly QuerySort[]
}

/** The released document of a page, by name. */
export type Pages = (name: string) => PageDocument | undefined

/**
 * What a list's tab shows, read off the released page as a browser reads it: a figure that counts it leads to exactly the rows that
 * it counted, also after an administrator changed the tab. Undefined when the tab is gone or not the caller's.
 */
export function tabOf(pages: Pages, { page, tab }: TabName, context: RequestContext, timeZone: string): ListTab | undefined {
  const document = pages(page)
  if (document?.kind !== 'list' || document.path === undefined) return undefined
  const chosen = document.views?.find(({ id }) => id === tab)
  if (!chosen || (chosen.permission !== undefined && !context.permissions.has(chosen.permission))) return undefined
  const scope = {
    user: context.user,
    today: dayOf(context.now, timeZone),
    now: context.now.toISOString(),
    locale: context.locale,
    query: {},
  }
  const value = valueIn(scope, { locale: context.locale, timeZone })
  const where = [...(document.where ?? []), ...(chosen.where ?? [])]
  const view = chosen.view ?? document.view
  return {
    entity: document.entity,
    address: `${document.path}?view=${encodeURIComponent(tab)}`,
    ...(view === undefined ? {} : { view }),
    where: queryOf(where, (condition) => ({ ...condition, value: value(condition.value) }) as QueryCondition),
    sort: chosen.sort ?? document.sort ?? [],
  }
}

const valueIn = (scope: object, environment: Environment) => {
  const value = (given: unknown): unknown =>
    Array.isArray(given)
      ? given.map(value)
      : isExpression(given)
        ? compileExpression(given)(scope as Record<string, unknown>, environment)
        : given
  return value
}
