import type { ModuleDocument } from '../../../../src/schema/generated/module'
import type { BilingualText } from '../../../../src/schema/problem'
import type { Snapshot } from '../live'
import { flatten } from '../../routes'
import type { Viewer } from './holders'

/** Something that a module or a page gives to holders of roles. */
export interface Given {
  target: string
  id: string
  what: BilingualText
  viewers: Viewer[]
}

/**
 * Keys that new menu entries give to roles, where a key opens more than the page that comes with it: keys of entities, and those that were
 * granted as buttons before.
 */
export function grantedKeys(now: Snapshot, then: Snapshot, viewers: readonly Viewer[]): Given[] {
  const known = new Set(now.modules.flatMap((module) => entriesOf(module).map(({ international }) => international)))
  const buttons = now.modules.flatMap((module) => entriesOf(module).flatMap((entry) => entry.buttons ?? [])).map(({ key }) => key)
  const guarding = (key: string): boolean =>
    buttons.includes(key) || [...now.woven, ...then.woven].some((entity) => JSON.stringify(entity).includes(`"${key}"`))
  return then.modules.flatMap((module) =>
    entriesOf(module).flatMap(({ international: key, roles = [], title }): Given[] => {
      if (roles.length === 0 || known.has(key) || !guarding(key)) return []
      const given = viewers.filter(
        ({ holder, has }) => holder.roles.length === 1 && roles.includes(holder.roles[0]!.code) && !has(key),
      )
      if (given.length === 0) return []
      const name = title ?? { zh: key, en: key }
      const what = { zh: `菜单“${name.zh}”带来的权限 ${key}`, en: `the permission ${key} of the menu entry "${name.en}"` }
      return [{ target: `module:${module.name}`, id: `key:${key}`, what, viewers: given }]
    }),
  )
}

const entriesOf = (module: ModuleDocument) => [...flatten(module.menu)]

/** Processes that may be started by whoever may open their page, where the page is opened to more. `starting`: addresses of such pages. */
export function startedBy(now: Snapshot, then: Snapshot, viewers: readonly Viewer[], starting: readonly string[]): Given[] {
  return starting.flatMap((path): Given[] => {
    const [was, is] = [now.page(path)?.document, then.page(path)?.document]
    if (!is || was?.permission === is.permission) return []
    const opens = (key: string | undefined, { has }: Viewer): boolean => key === undefined || has(key)
    // without a page nobody is kept from starting it
    const given = viewers.filter((viewer) => opens(is.permission, viewer) && !opens(was?.permission, viewer))
    if (given.length === 0) return []
    const what = { zh: `发起“${is.title.zh}”`, en: `the start of "${is.title.en}"` }
    return [{ target: `page:${then.page(path)?.name ?? path}`, id: `start:${path}`, what, viewers: given }]
  })
}
