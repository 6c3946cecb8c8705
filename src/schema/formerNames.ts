import type { ModuleDocument } from './generated/module'

/**
 * What documents were called before (`was` of a module), as pairs of targets: `module:financial` -> `module:fin`, one page
 * `page:financial/usage` -> `page:fin/usages`, and with a slash at the end all pages of a module, `page:financial/` -> `page:fin/`.
 */
export type FormerNames = ReadonlyMap<string, string>

export const formerNamesOf = (modules: readonly Pick<ModuleDocument, 'name' | 'was'>[]): FormerNames =>
  new Map(
    modules.flatMap(({ name, was }) => [
      ...(was?.modules ?? []).flatMap((former) => [
        [`module:${former}`, `module:${name}`] as const,
        [`page:${former}/`, `page:${name}/`] as const,
      ]),
      ...Object.entries(was?.pages ?? {}).map(([former, file]) => [`page:${former}`, `page:${name}/${file}`] as const),
    ]),
  )

/** The present name of a target (`page:financial/usage`, `module:financial`) that was stored or comes in a file. */
export function presentTarget(former: FormerNames, target: string): string {
  const own = former.get(target)
  if (own !== undefined) return own
  const slash = target.indexOf('/') + 1
  const module = slash === 0 ? undefined : former.get(target.slice(0, slash))
  return module === undefined ? target : module + target.slice(slash)
}
