import type { RolesDocument } from '../../src/schema/generated/roles'

/** A role that the modules ship. */
export interface ModuleRole {
  code: string
  name: string
  nameEn: string
  /** International keys of menu resources. */
  menus: readonly string[]
  buttonKeys: readonly string[]
  scopes: Readonly<Record<string, readonly string[]>>
  fieldRules: Readonly<Record<string, 'hide' | 'mask' | 'read'>>
  remark: string
}

/** Every menu there is. */
const ALL_MENUS = '*'

/** The roles of the company: what all modules grant to a code; without a name in any of them a role does not exist. */
export function moduleRoles(documents: readonly RolesDocument[]): ModuleRole[] {
  const grants = documents.flatMap(({ roles }) => roles)
  return [...new Set(grants.map(({ code }) => code))].flatMap((code): ModuleRole[] => {
    const own = grants.filter((one) => one.code === code)
    const label = own.find((one) => one.label)?.label
    const note = own.find((one) => one.note)?.note
    if (!label) return []
    return [
      {
        code,
        name: label.zh,
        nameEn: label.en,
        menus: [...new Set(own.flatMap(({ menus = [] }) => menus))],
        buttonKeys: [...new Set(own.flatMap(({ buttons = [] }) => buttons))],
        scopes: Object.assign({}, ...own.map(({ scopes }) => scopes)) as ModuleRole['scopes'],
        fieldRules: Object.assign({}, ...own.map(({ fieldRules }) => fieldRules)) as ModuleRole['fieldRules'],
        remark: note ? `${note.zh} / ${note.en}` : '',
      },
    ]
  })
}

/** The ids of the menus of a role. @throws Error for a menu that no module has */
export function menuIdsOf({ code, menus }: ModuleRole, idOf: ReadonlyMap<string, string>): string[] {
  if (menus.includes(ALL_MENUS)) return [...idOf.values()]
  return menus.map((key) => {
    const id = idOf.get(key)
    if (id === undefined) throw new Error(`The role ${code} names the menu ${key}, which no module has.`)
    return id
  })
}
