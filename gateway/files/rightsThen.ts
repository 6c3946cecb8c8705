import type { EntityEngine } from '../entities'
import { ServiceError, scopesOf, type RequestContext, type Scope } from '../platform/http'

/** What a person could see of an entity when a file was made. */
interface Seen {
  scopes: readonly Scope[]
  /** Departments that the scopes reach; none where all rows are seen. */
  departments: readonly string[]
  /** Field (`entity.field`) -> hide, mask or read. */
  rules: Readonly<Record<string, string>>
}

/** By entity. It is kept with a file, so that whoever fetches it later may not see more in it than he may see by then. */
export type RightsThen = Readonly<Record<string, Seen>>

/** From the strictest on; no rule is the least strict. */
const STRICT = ['hide', 'mask']

/** The rights of now over what a file tells of. */
export function rightsNow(engine: EntityEngine, context: RequestContext, entities: readonly string[]): RightsThen {
  const known = [...new Set(entities)].filter((name) => engine.names().includes(name))
  const rules = engine.fieldRules({ has: (key) => context.permissions.has(key), fieldRules: context.fieldRules }, known)
  return Object.fromEntries(
    known.map((name) => {
      const scopes = scopesOf(context, name)
      const { scopeDeptIds, scopeTreeIds } = context.user
      const departments = scopes.includes('all')
        ? []
        : scopes.includes('departmentTree')
          ? scopeTreeIds
          : scopes.includes('department')
            ? scopeDeptIds
            : []
      const own = Object.entries(rules).filter(([field]) => field.startsWith(`${name}.`))
      return [name, { scopes, departments, rules: Object.fromEntries(own) }]
    }),
  )
}

/** Refuses a file that shows what its owner may not see any more: rows of a scope that he lost, or fields that are closed to him since. */
export function requireStill(then: RightsThen, now: RightsThen): void {
  for (const [entity, was] of Object.entries(then)) {
    const is = now[entity]
    if (!is) throw lost()
    const all = is.scopes.includes('all')
    if (!all && was.scopes.some((scope) => !is.scopes.includes(scope))) throw lost()
    if (!all && was.departments.some((id) => !is.departments.includes(id))) throw lost()
    for (const [field, rule] of Object.entries(is.rules)) {
      const [closed, before] = [STRICT.indexOf(rule), STRICT.indexOf(was.rules[field] ?? '')]
      if (closed >= 0 && (before < 0 || before > closed)) throw lost()
    }
  }
}

const lost = (): ServiceError =>
  new ServiceError('noPermission', {
    message: {
      zh: '此文件含有您现在无权查看的内容（您的权限在生成后已变更），不能下载。请重新导出，新文件按您现在的权限生成。',
      en: 'This file holds what you may not see any more: your rights have changed since it was made. Make it anew; the new file follows your rights of now.',
    },
    data: { permission: null, reason: 'rightsChanged' },
  })
