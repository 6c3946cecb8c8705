import type { CompileResult } from '../../schema/compile'
import { lacksSeldom } from '../../schema/expression'
import { formatProblem } from '../../schema'
import type { Problem } from '../../schema/problem'
import type { Host, LoadedPage, PageBundle, PageCopy } from '../../headless/host'
import { compileLoaded } from './compileLoaded'
import { loadSeldom } from './loadSeldom'

export interface CompiledPage {
  page: LoadedPage
  result: CompileResult
}

/** What of a page could not be shown goes to its admins, with the place, the reason and the revision. */
export const tellProblems = (host: Host, { revision }: PageBundle, problems: readonly Problem[]): void => {
  for (const problem of problems) {
    const { severity, where, at, code } = problem
    if (severity === 'error') host.report(formatProblem(problem), { where, at, code, revision })
  }
}

const COPIES: readonly PageCopy[] = ['again', 'kept', 'before']

/** The nearest copy of a page that can be shown instead of it; null when there is none. */
export const findWorking = async (
  host: Host,
  idOrPath: string,
  { bundle: instead }: LoadedPage,
  signal?: AbortSignal,
): Promise<LoadedPage | null> => {
  for (const copy of COPIES) {
    const bundle = await host.pageCopies?.find(copy, idOrPath, instead, signal)
    if (bundle && compileLoaded(bundle, host).ok) return { bundle, from: copy === 'again' ? 'gateway' : 'earlier' }
  }
  return null
}

/**
 * A page by its route or name, compiled. When the newest revision does not compile, its admins learn it, and the last one
 * that does is taken; `result` is wrong only when there is none.
 */
export const loadCompiled = async (host: Host, idOrPath: string, signal?: AbortSignal): Promise<CompiledPage> => {
  const page = await host.loadPage(idOrPath, signal)
  const result = compileLoaded(page.bundle, host)
  if (lacksSeldom()) await loadSeldom()
  if (result.ok) {
    if (page.from === 'gateway' && result.model.problems.length === 0) host.pageCopies?.keep(idOrPath, page.bundle)
    return { page, result }
  }
  tellProblems(host, page.bundle, result.problems)
  const found = await findWorking(host, idOrPath, page, signal)
  return found ? { page: found, result: compileLoaded(found.bundle, host) } : { page, result }
}
