import type { Database } from '../platform/database'
import type { Locale } from '../platform/http'
import type { Directory } from './directory'
import { listButtons } from './store'

/** Names of a missing right are few; a menu that is its own ancestor ends here. */
const DEEPEST = 10

/** `Customers › My customers › Export`, of each key that is in the menu. */
export async function namesOf(
  database: Database,
  directory: Directory,
  keys: readonly string[],
  locale: Locale,
): Promise<string[]> {
  const [menus, buttons] = await Promise.all([directory.allMenus(), listButtons(database)])
  const byId = new Map(menus.map((menu) => [menu.id, menu]))
  const pathTo = (menuId: string | null): string[] => {
    const path: string[] = []
    for (let menu = byId.get(menuId ?? ''); menu && path.length < DEEPEST; menu = byId.get(menu.parentId ?? ''))
      path.unshift(locale === 'en' && menu.nameEn ? menu.nameEn : menu.name)
    return path
  }
  return keys.flatMap((key) => {
    const button = buttons.find((one) => one.key === key)
    const menu = menus.find((one) => one.international === key)
    const path = button ? [...pathTo(button.menuId), button[locale]] : menu ? pathTo(menu.id) : []
    return path.length > 0 ? [path.join(' › ')] : []
  })
}
