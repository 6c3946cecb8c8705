import { pointer } from '../diagnosis'
import { allFields } from '../entity/fields'
import type { RolesDocument } from '../generated/roles'
import type { Checker } from './checker'

/** Every menu of every module. */
const ALL_MENUS = '*'

/** Everything in the grants of roles that names something else. */
export const checkRoles = (checker: Checker, { roles }: RolesDocument): void => {
  const { catalog } = checker
  checker.unique(
    roles.map(({ code }) => code),
    '/roles',
    'code',
  )
  roles.forEach(({ code, menus = [], buttons = [], scopes = {}, fieldRules = {} }, index) => {
    const at = pointer('/roles', index)
    if (!catalog.roles.has(code))
      checker.add(
        'missing-translation',
        pointer(at, 'code'),
        {
          zh: `角色“${code}”没有名称：须有一个模块写出 label。`,
          en: `The role "${code}" has no name: one module has to say its label.`,
        },
        { value: code, known: catalog.roles },
      )
    menus.forEach((key, index) => {
      if (key !== ALL_MENUS) checker.permission(key, pointer(at, 'menus', index))
    })
    buttons.forEach((key, index) => checker.permission(key, pointer(at, 'buttons', index)))
    for (const entity of Object.keys(scopes)) checker.entity(entity, pointer(at, 'scopes', entity))
    for (const name of Object.keys(fieldRules)) {
      const under = pointer(at, 'fieldRules', name)
      const split = name.lastIndexOf('.')
      const entity = catalog.entities.get(name.slice(0, split))
      if (!entity) checker.entity(name.slice(0, split), under)
      else
        checker.field(new Map(allFields(entity).map((field) => [field.name, field])), name.slice(split + 1), under, entity.name)
    }
  })
}
