import type { Locale } from '../../schema/problem'

/** A call of which is known before anything is drawn that it will be made. */
interface EarlyCall {
  path: string
  query?: Readonly<Record<string, unknown>>
}

interface EarlyAsker {
  gateway: string
  token: string
  locale: Locale
}

/** An answer as it came. */
export interface EarlyAnswer {
  status: number
  statusText: string
  body: string
  header: (name: string) => string | null
}

/** What was asked so long ago is asked anew, ms. */
const FRESH = 60_000

interface Asked {
  token: string
  locale: Locale
  at: number
  answer: Promise<EarlyAnswer | null>
}

const asked = new Map<string, Asked>()

const addressOf = ({ path, query = {} }: EarlyCall): string => {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

export const languageHeader = (locale: Locale): string => (locale === 'zh' ? 'zh-CN' : 'en')

/**
 * Asks before the portal is there; whoever makes the same call first takes the answer. `extra` goes to the gateway and is not part of the call.
 * What was kept by the browser is asked for by its ETag. Null: no answer, or one that says to ask again (204).
 */
export function askEarly(call: EarlyCall, { gateway, token, locale }: EarlyAsker, extra = ''): Promise<EarlyAnswer | null> {
  const address = addressOf(call)
  const headers = { Accept: 'application/json', 'Accept-Language': languageHeader(locale), Authorization: `Bearer ${token}` }
  const answer = fetch(gateway + address + extra, { headers }).then(async (response): Promise<EarlyAnswer | null> =>
    response.status === 204
      ? null
      : {
          status: response.status,
          statusText: response.statusText,
          body: await response.text(),
          header: (name) => response.headers.get(name),
        },
  )
  const settled = answer.catch(() => null)
  asked.set(address, { token, locale, at: Date.now(), answer: settled })
  return settled
}

/** The answer to this call when it was asked early, by the same person in the same language; once. */
export async function takeEarly(call: EarlyCall, token: string | null, locale: Locale): Promise<EarlyAnswer | null> {
  if (asked.size === 0) return null
  const address = addressOf(call)
  const found = asked.get(address)
  if (!found) return null
  asked.delete(address)
  return found.token === token && found.locale === locale && Date.now() - found.at < FRESH ? found.answer : null
}
