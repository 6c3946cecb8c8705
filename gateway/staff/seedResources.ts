import type { MenuEntry, ModuleDocument } from '../../src/schema/generated/module'
import type { EntityEngine, EntityRecord } from '../entities'
import { newId } from '../platform/database'
import { systemContext } from '../platform/http'

/**
 * Puts the menus and permission keys of the module documents into sys.menuResource and sys.resourceButton. Only missing ones
 * are inserted: what an administrator changed, moved or deleted stays as it is. Returns how many were new.
 */
export async function seedResources(
  engine: EntityEngine,
  modules: readonly ModuleDocument[],
): Promise<{ menus: number; buttons: number }> {
  return engine.transaction(systemContext(), async (entities, tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('switchboard resources'))`)
    // Deleted rows count, too: an administrator did not want them.
    const menus = await tx.query<{ id: string; international: string }>(
      'select id, international from sys_menu_resource order by deleted_at nulls last',
    )
    const buttons = await tx.query<{ key: string }>('select key from sys_resource_button')
    const plan = planResources(
      modules,
      new Map([...menus.rows].reverse().map(({ id, international }) => [international, id])),
      new Set(buttons.rows.map(({ key }) => key)),
    )
    if (plan.menus.length > 0) await entities.insertMany('sys.menuResource', plan.menus)
    if (plan.buttons.length > 0) await entities.insertMany('sys.resourceButton', plan.buttons)
    return { menus: plan.menus.length, buttons: plan.buttons.length }
  })
}

/** The rows that are missing, parents before children. */
export function planResources(
  modules: readonly ModuleDocument[],
  known: ReadonlyMap<string, string>,
  knownKeys: ReadonlySet<string>,
): { menus: EntityRecord[]; buttons: EntityRecord[] } {
  const ids = new Map(known)
  const keys = new Set(knownKeys)
  const menus: EntityRecord[] = []
  const buttons: EntityRecord[] = []

  const place = (international: string, facts: EntityRecord): string => {
    const id = ids.get(international)
    if (id !== undefined) return id
    const made = newId()
    ids.set(international, made)
    menus.push({ id: made, international, webShowFlag: true, mobileFlag: false, newWindow: false, ...facts })
    return made
  }
  const walk = (entries: readonly MenuEntry[], parentId: string): void => {
    entries.forEach((entry, position) => {
      const id = place(entry.international, {
        name: entry.title.zh,
        nameEn: entry.title.en,
        router: entry.path ?? null,
        icon: entry.icon ?? null,
        kind: 'menu',
        parentId,
        sortNo: entry.sort ?? (position + 1) * 10,
        webShowFlag: entry.webShow ?? true,
        newWindow: entry.newWindow ?? false,
        iframeName: entry.iframeName ?? null,
      })
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
    const id = place(document.international ?? `${document.name}:${document.name}`, {
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
  return { menus, buttons }
}
