import type { Locale } from '../../../schema/problem'

/** A permission key below a menu entry. */
export interface ManagedButton {
  id: string
  key: string
  zh: string
  en: string
  /** Number of roles that grant it. */
  grantedBy: number
}

/** A menu entry as the management reads it (GET /v2/sys/menuResource/tree). */
export interface ManagedMenu {
  id: string
  nameZh: string
  nameEn: string | null
  router: string | null
  international: string
  icon: string | null
  /** module, menu or page (dictionary resourceKind). */
  kind: string
  webShowFlag: boolean
  mobileFlag: boolean
  newWindow: boolean
  iframeName: string | null
  parentId: string | null
  sortNo: number
  version: number
  buttons: readonly ManagedButton[]
  grantedBy: number
  warnings: readonly { field: string; message: string }[]
  children: readonly ManagedMenu[]
}

export const MENU_TREE = { method: 'GET', path: '/v2/sys/menuResource/tree' } as const

export const menuName = (menu: Pick<ManagedMenu, 'nameZh' | 'nameEn'>, locale: Locale): string =>
  (locale === 'en' && menu.nameEn) || menu.nameZh

/** Every entry, parents before children. */
export const flatMenus = (menus: readonly ManagedMenu[]): ManagedMenu[] =>
  menus.flatMap((menu) => [menu, ...flatMenus(menu.children)])

const has = (text: string | null, wanted: string): boolean => text?.toLocaleLowerCase().includes(wanted) ?? false

/** True when an entry itself, in either language, by its route or by its key, is what somebody looks for. */
export const menuMatches = (menu: ManagedMenu, wanted: string): boolean =>
  has(menu.nameZh, wanted) || has(menu.nameEn, wanted) || has(menu.router, wanted) || has(menu.international, wanted)

export const buttonMatches = (button: ManagedButton, wanted: string): boolean =>
  has(button.zh, wanted) || has(button.en, wanted) || has(button.key, wanted)

/** The part of the tree that holds what is looked for, with the entries above it. An entry that matches keeps all below it. */
export const searchMenus = (menus: readonly ManagedMenu[], search: string): readonly ManagedMenu[] => {
  const wanted = search.trim().toLocaleLowerCase()
  if (wanted === '') return menus
  return menus.flatMap((menu) => {
    if (menuMatches(menu, wanted)) return [menu]
    const children = searchMenus(menu.children, wanted)
    const buttons = menu.buttons.filter((button) => buttonMatches(button, wanted))
    return children.length + buttons.length > 0 ? [{ ...menu, children, buttons }] : []
  })
}
