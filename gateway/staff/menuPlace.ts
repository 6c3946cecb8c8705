import type { Entities } from '../entities'

/** The menu entry of an address, the longest that begins it, and the module that it stands in; nulls for what is no page of the menu. */
export async function placeOf(
  entities: Entities,
  address: string,
): Promise<{ resourceId: string | null; moduleId: string | null }> {
  const menus = new Map((await entities.list('sys.menuResource', { limit: 10_000 })).map((menu) => [menu.id, menu]))
  const path = address.split(/[?#]/u)[0] ?? ''
  const begins = ({ router }: { router: string | null }): boolean =>
    !!router && (path === router || path.startsWith(`${router}/`))
  const page = [...menus.values()].filter(begins).sort((a, b) => b.router!.length - a.router!.length)[0]
  return { resourceId: page?.id ?? null, moduleId: page ? moduleOf(menus, page.id) : null }
}

function moduleOf(menus: ReadonlyMap<string, { parentId: string | null }>, id: string): string {
  const parent = menus.get(id)?.parentId
  return parent && menus.has(parent) ? moduleOf(menus, parent) : id
}
