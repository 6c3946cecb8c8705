import type { MenuEntry, ModuleDocument } from '../../src/schema/generated/module'
import type { EntityEngine, EntityRecord } from '../entities'
import { newId } from '../platform/database'
import { systemContext } from '../platform/http'
import { RIGHTS_CHANNEL } from './directory'

/** Modules outside the portal that have an address: each is a menu resource, which roles are granted like any other (R071). */
export const externalModules = (addresses: Readonly<Record<string, string>>): ResourceDocument[] =>
  Object.entries(addresses)
    .filter(([, address]) => address !== '')
    .map(([name]) => ({
      name: name.toLowerCase(),
      title: { zh: name, en: name },
      international: `${name.toLowerCase()}:${name.toLowerCase()}`,
      sort: LAST,
      menu: [],
    }))

/** What of a module document makes menu resources. */
export type ResourceDocument = Pick<ModuleDocument, 'name' | 'title' | 'international' | 'icon' | 'sort' | 'menu'>

/** Behind the portal's own modules. */
const LAST = 1000

/** A menu resource that is there, deleted or not. */
export interface KnownMenu {
  id: string
  sortNo: number | null
}

/**
 * Puts the menus and permission keys of the module documents into sys.menuResource and sys.resourceButton. Only missing ones
 * are inserted: what an administrator changed, moved or deleted stays as it is. A new entry that names roles is granted to
 * them. Returns how many were new.
 */
export async function seedResources(
  engine: EntityEngine,
  modules: readonly ResourceDocument[],
): Promise<{ menus: number; buttons: number }> {
  return engine.transaction(systemContext(), async (entities, tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('switchboard resources'))`)
    // Deleted rows count, too: an administrator did not want them.
    const menus = await tx.query<KnownMenu & { international: string }>(
      'select id, international, sort_no as "sortNo" from sys_menu_resource order by deleted_at nulls last',
    )
    const buttons = await tx.query<{ key: string }>('select key from sys_resource_button')
    const plan = planResources(
      modules,
      new Map([...menus.rows].reverse().map((menu) => [menu.international, menu])),
      new Set(buttons.rows.map(({ key }) => key)),
    )
    if (plan.menus.length > 0) await entities.insertMany('sys.menuResource', plan.menus)
    if (plan.buttons.length > 0) await entities.insertMany('sys.resourceButton', plan.buttons)
    for (const { role, menus: granted } of plan.grants) {
      const [known] = (
        await tx.query<{ id: string; resourceIds: string[] | null }>(
          'select id, resource_ids as "resourceIds" from sys_role where code = $1 and deleted_at is null',
          [role],
        )
      ).rows
      if (known) await entities.save('sys.role', { id: known.id, resourceIds: [...(known.resourceIds ?? []), ...granted] })
    }
    if (plan.menus.length + plan.buttons.length > 0) await tx.notify(RIGHTS_CHANNEL, '*')
    return { menus: plan.menus.length, buttons: plan.buttons.length }
  })
}

/** The rows that are missing, parents before children. */
export function planResources(
  modules: readonly ResourceDocument[],
  known: ReadonlyMap<string, KnownMenu>,
  knownKeys: ReadonlySet<string>,
): { menus: EntityRecord[]; buttons: EntityRecord[]; grants: { role: string; menus: string[] }[] } {
  const ids = new Map([...known].map(([international, { id }]) => [international, id]))
  const sorts = new Map([...known].map(([international, { sortNo }]) => [international, sortNo]))
  const grants = new Map<string, string[]>()
  const keys = new Set(knownKeys)
  const menus: EntityRecord[] = []
  const buttons: EntityRecord[] = []

  const put = (international: string, facts: EntityRecord): string => {
    const id = ids.get(international)
    if (id !== undefined) return id
    const made = newId()
    ids.set(international, made)
    sorts.set(international, typeof facts['sortNo'] === 'number' ? facts['sortNo'] : null)
    menus.push({ id: made, international, webShowFlag: true, mobileFlag: false, newWindow: false, ...facts })
    return made
  }
  const walk = (entries: readonly MenuEntry[], parentId: string): void => {
    entries.forEach((entry, position) => {
      const isNew = !ids.has(entry.international)
      const id = put(entry.international, {
        name: entry.title?.zh ?? entry.id,
        nameEn: entry.title?.en ?? entry.id,
        router: entry.path ?? null,
        icon: entry.icon ?? null,
        kind: 'menu',
        parentId,
        sortNo: entry.sort ?? positionAmong(entries, position, (international) => sorts.get(international) ?? undefined),
        webShowFlag: entry.webShow ?? true,
        newWindow: entry.newWindow ?? false,
        iframeName: entry.iframeName ?? null,
      })
      for (const role of isNew ? (entry.roles ?? []) : []) grants.set(role, [...(grants.get(role) ?? []), id])
      for (const { key, title } of entry.buttons ?? []) {
        if (keys.has(key)) continue
        keys.add(key)
        buttons.push({ id: newId(), key, menuId: id, zh: title.zh, en: title.en })
      }
      walk(entry.children ?? [], id)
    })
  }
  for (const document of modules) {
    if (document.menu.length === 0 && document.international === undefined) continue
    const id = put(document.international ?? `${document.name}:${document.name}`, {
      name: document.title.zh,
      nameEn: document.title.en,
      router: null,
      icon: document.icon ?? null,
      kind: 'module',
      parentId: null,
      sortNo: document.sort ?? 0,
    })
    walk(document.menu, id)
  }
  return { menus, buttons, grants: [...grants].map(([role, granted]) => ({ role, menus: granted })) }
}

/** Between the neighbours that have a place already; where nothing is known yet, tens leave room. */
function positionAmong(
  entries: readonly MenuEntry[],
  position: number,
  sortOf: (international: string) => number | undefined,
): number {
  const usual = (position + 1) * 10
  const before = entries[position - 1] && sortOf(entries[position - 1]!.international)
  const after = entries.slice(position + 1).flatMap(({ international }) => sortOf(international) ?? [])[0]
  if (after === undefined) return Math.max(usual, (before ?? 0) + 1)
  const low = before ?? 0
  return after > low + 1 ? Math.floor((low + after) / 2) : after
}
