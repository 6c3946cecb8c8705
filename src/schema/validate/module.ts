import { pointer } from '../diagnosis'
import type { Card, MenuEntry, ModuleDocument } from '../generated/module'
import type { Checker } from './checker'

/** Everything in a module that names something else. Conflicts between modules are found over all of them. */
export const checkModule = (checker: Checker, module: ModuleDocument): void => {
  const { modules } = checker.catalog
  for (const [index, needed] of (module.needs ?? []).entries())
    if (modules && !modules.has(needed))
      checker.add(
        'missing-module',
        pointer('/needs', index),
        {
          zh: `模块“${module.name}”需要模块“${needed}”，而后者不存在。`,
          en: `The module "${module.name}" needs the module "${needed}", which is not there.`,
        },
        { value: needed },
      )
  for (const [former, file] of Object.entries(module.was?.pages ?? {}))
    if (checker.catalog.routes && !checker.catalog.pages.has(`${module.name}/${file}`))
      checker.add(
        'unknown-page',
        pointer('/was/pages', former),
        { zh: `没有页面“${module.name}/${file}”。`, en: `There is no page "${module.name}/${file}".` },
        { value: file },
      )
  module.routes.forEach((route, index) => {
    const at = pointer('/routes', index)
    if (route.activeMenu !== undefined) checker.route(route.activeMenu, pointer(at, 'activeMenu'))
    if (route.redirect !== undefined) checker.route(route.redirect, pointer(at, 'redirect'))
    checker.expression(route.titleFrom, pointer(at, 'titleFrom'), ['query', 'user', 'today', 'now', 'locale'])
  })
  const seen = { ids: new Set<string>(), keys: new Set<string>(module.international === undefined ? [] : [module.international]) }
  checkMenu(checker, module.menu, '/menu', seen)
  const cards = module.cards ?? []
  checker.unique(
    cards.map(({ id }) => id),
    '/cards',
    'id',
  )
  cards.forEach((card, index) => checkCard(checker, card, pointer('/cards', index)))
}

/** Everybody, among the roles of a card. */
const EVERYBODY = '*'

function checkCard(checker: Checker, { page, view, block, permission, for: roles = {} }: Card, at: string): void {
  const { pages, faulty, context } = checker.catalog
  if (context.partial === true || faulty.has(page)) return
  checker.permission(permission, pointer(at, 'permission'))
  for (const code of Object.keys(roles))
    if (code !== EVERYBODY && !checker.catalog.roles.has(code))
      checker.add(
        'invalid-shape',
        pointer(at, 'for', code),
        { zh: `没有角色“${code}”。`, en: `There is no role "${code}".` },
        { value: code, known: checker.catalog.roles },
      )
  const document = pages.get(page)?.document
  if (document?.kind !== 'list' && document?.kind !== 'report') {
    const known = [...pages.values()].flatMap((one) => (/^(list|report)$/.test(one.document.kind) ? [one.name] : []))
    const message = { zh: `没有列表或报表“${page}”。`, en: `There is no list or report "${page}".` }
    return checker.add('unknown-page', pointer(at, 'page'), message, { value: page, known })
  }
  const [part, name, parts] =
    document.kind === 'list' ? (['view', view, document.views ?? []] as const) : (['block', block, document.blocks] as const)
  if (name === undefined || parts.some(({ id }) => id === name)) return
  const message = { zh: `页面“${page}”没有“${name}”。`, en: `The page "${page}" has no "${name}".` }
  checker.add('unknown-view', pointer(at, part), message, { value: name, known: parts.map(({ id }) => id) })
}

function checkMenu(
  checker: Checker,
  menu: readonly MenuEntry[],
  at: string,
  seen: { ids: Set<string>; keys: Set<string> },
): void {
  const once = (set: Set<string>, value: string, at: string): void => {
    if (set.has(value)) checker.add('duplicate-id', at, { zh: `“${value}”重复。`, en: `"${value}" is used twice.` }, { value })
    set.add(value)
  }
  menu.forEach((entry, index) => {
    const here = pointer(at, index)
    once(seen.ids, entry.id, pointer(here, 'id'))
    once(seen.keys, entry.international, pointer(here, 'international'))
    if (entry.path !== undefined) checker.route(entry.path, pointer(here, 'path'))
    if (
      checker.catalog.routes &&
      entry.title === undefined &&
      (entry.path === undefined || !checker.catalog.titles.has(entry.path))
    )
      checker.add('missing-translation', pointer(here, 'id'), {
        zh: `菜单项“${entry.id}”没有名称，也没有可取名称的页面。`,
        en: `The menu entry "${entry.id}" has no title, and no page to have it from.`,
      })
    checkMenu(checker, entry.children ?? [], pointer(here, 'children'), seen)
  })
}
