import { diagnose, pointer } from '../diagnosis'
import type { Problem } from '../problem'
import type { AcceptedDocument } from './accepted'
import { moduleOf } from './catalog'

/** Names and addresses that two documents claim. The second one is reported and names the first. */
export const findConflicts = (documents: readonly AcceptedDocument[]): Problem[] => {
  const problems: Problem[] = []
  const names = new Map<string, string>()
  const routes = new Map<string, string>()
  const pages = new Map<string, string>()
  const claim = (
    taken: Map<string, string>,
    key: string,
    value: string,
    where: string,
    at: string,
    code: 'duplicate-id' | 'path-conflict',
  ): void => {
    const first = taken.get(key)
    if (first === undefined) {
      taken.set(key, `${where}#${at}`)
      return
    }
    problems.push(
      diagnose(
        code,
        { where, at },
        { zh: `“${value}”已在 ${first} 中使用。`, en: `"${value}" is taken by ${first}.` },
        { value, other: first.slice(0, first.lastIndexOf('#')) },
      ),
    )
  }
  for (const document of documents) {
    const { where } = document
    switch (document.type) {
      case 'entity':
      case 'dictionary':
      case 'feature':
      case 'template':
      case 'paper':
        claim(names, `${document.type} ${document.value.name}`, document.value.name, where, '/name', 'duplicate-id')
        break
      case 'process':
        claim(names, `process ${document.value.name}`, document.value.name, where, '/name', 'duplicate-id')
        claim(names, `prefix ${document.value.prefix}`, document.value.prefix, where, '/prefix', 'duplicate-id')
        break
      case 'listener':
        claim(names, `listener ${moduleOf(document.name)}.${document.value.id}`, document.value.id, where, '/id', 'duplicate-id')
        break
      case 'rules':
        claim(names, `rules ${document.value.key}`, document.value.key, where, '/key', 'duplicate-id')
        break
      case 'module':
        claim(names, `module ${document.value.name}`, document.value.name, where, '/name', 'duplicate-id')
        document.value.was?.modules?.forEach((former, index) =>
          claim(names, `module ${former}`, former, where, pointer('/was/modules', index), 'duplicate-id'),
        )
        for (const former of Object.keys(document.value.was?.pages ?? {}))
          claim(names, `page ${former}`, former, where, pointer('/was/pages', former), 'duplicate-id')
        document.value.routes.forEach((route, index) => {
          const at = pointer('/routes', index)
          claim(routes, route.path, route.path, where, pointer(at, 'path'), 'path-conflict')
          route.aliases?.forEach((alias, row) => claim(routes, alias, alias, where, pointer(at, 'aliases', row), 'path-conflict'))
        })
        break
      case 'page':
        if (document.name !== undefined) claim(names, `page ${document.name}`, document.name, where, '', 'duplicate-id')
        if (document.value.path !== undefined)
          claim(pages, document.value.path, document.value.path, where, '/path', 'path-conflict')
        break
      default:
    }
  }
  // a declared route and its page share an address; an alias is the address of another page
  for (const document of documents) {
    if (document.type !== 'module') continue
    document.value.routes.forEach(({ aliases }, index) =>
      aliases?.forEach((alias, row) => {
        if (pages.has(alias))
          claim(pages, alias, alias, document.where, pointer('/routes', index, 'aliases', row), 'path-conflict')
      }),
    )
  }
  return problems
}
