import { RequestError, type LoadedPage, type PageBundle, type PageCopies } from '../../headless/host'
import { isBundle } from '../portal/pageKeeper'
import type { Portal } from '../portal/portal'

const queryOf = (idOrPath: string): Record<string, string> => (idOrPath.startsWith('/') ? { path: idOrPath } : { name: idOrPath })
const PATH = '/v2/sys/page/bundle'

type Pages = Pick<Portal, 'http' | 'pages' | 'language'>

/** The released page, revalidated; the last copy when the gateway cannot answer. */
export async function loadPage(portal: Pages, idOrPath: string, signal?: AbortSignal): Promise<LoadedPage> {
  const kept = await portal.pages.get(idOrPath)
  try {
    const answer = await portal.http.conditional<PageBundle>(
      { method: 'GET', path: PATH, query: queryOf(idOrPath), signal },
      kept?.etag ?? null,
    )
    if (answer.unchanged) {
      if (kept !== null) return { bundle: kept.bundle, from: 'gateway' }
      throw new RequestError('malformed', portal.language.t('error.malformed'))
    }
    if (!isBundle(answer.data)) throw new RequestError('malformed', portal.language.t('error.malformed'))
    void portal.pages.put(idOrPath, { etag: answer.etag, bundle: answer.data })
    return { bundle: answer.data, from: 'gateway' }
  } catch (error) {
    if (kept === null || !(error instanceof RequestError) || !isOutage(error)) throw error
    return { bundle: kept.bundle, from: 'local' }
  }
}

/** The gateway could not answer; a refusal (no permission, no such page) is an answer. */
const isOutage = (error: RequestError): boolean =>
  error.kind === 'network' ||
  error.kind === 'timeout' ||
  error.kind === 'malformed' ||
  (error.kind === 'http' && (error.code ?? 0) >= 500)

/** What may be shown instead of a page that cannot be shown. */
export function pageCopies(portal: Pages): PageCopies {
  const { http, pages } = portal
  const ask = async (idOrPath: string, query: Record<string, string>, signal?: AbortSignal) => {
    const given = { ...queryOf(idOrPath), ...query }
    const answer = await http.conditional<PageBundle>({ method: 'GET', path: PATH, query: given, signal }, null)
    return answer.unchanged || !isBundle(answer.data) ? null : answer
  }
  const same = (one: PageBundle | null, other: PageBundle): boolean => JSON.stringify(one) === JSON.stringify(other)
  return {
    keep: (idOrPath, bundle) => void pages.keepGood(idOrPath, bundle),
    async find(copy, idOrPath, instead, signal) {
      try {
        switch (copy) {
          case 'again': {
            const answer = await ask(idOrPath, {}, signal)
            if (answer === null || same(answer.data, instead)) return null
            await pages.put(idOrPath, { etag: answer.etag, bundle: answer.data })
            return answer.data
          }
          case 'kept': {
            const bundle = await pages.good(idOrPath)
            return same(bundle, instead) ? null : bundle
          }
          case 'before':
            // It has stood without a fault: what failed now is not its revision.
            if (same(await pages.good(idOrPath), instead)) return null
            return (await ask(idOrPath, { before: instead.revision }, signal))?.data ?? null
        }
      } catch {
        // Without an answer there is none; what is wrong with the page has been said.
        return null
      }
    },
  }
}
