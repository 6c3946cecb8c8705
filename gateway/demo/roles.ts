import type { RolesDocument } from '../../src/schema/generated/roles'
import type { DemoRole } from './types'

/** Every menu there is. */
export const ALL_MENUS = '*'

/** The roles of the company: what all modules grant to a code; without a name in any of them a role does not exist. */
export function rolesOf(documents: readonly RolesDocument[]): DemoRole[] {
  const grants = documents.flatMap(({ roles }) => roles)
  return [...new Set(grants.map(({ code }) => code))].flatMap((code): DemoRole[] => {
    const own = grants.filter((one) => one.code === code)
    const label = own.find((one) => one.label)?.label
    const note = own.find((one) => one.note)?.note
    if (!label) return []
    return [
      {
        id: `ro-${code}`,
        code,
        name: label.zh,
        nameEn: label.en,
        menus: [...new Set(own.flatMap(({ menus = [] }) => menus))],
        buttonKeys: [...new Set(own.flatMap(({ buttons = [] }) => buttons))],
        scopes: Object.assign({}, ...own.map(({ scopes }) => scopes)) as DemoRole['scopes'],
        fieldRules: Object.assign({}, ...own.map(({ fieldRules }) => fieldRules)) as DemoRole['fieldRules'],
        remark: note ? `${note.zh} / ${note.en}` : '',
      },
    ]
  })
}
