import { observable } from '@formily/reactive'
import type { Environment } from '../../../schema/expression'
import { toExact } from '../../../schema/formats'
import { isAborted, toFailure } from '../../../headless/failure'
import type { Host } from '../../../headless/host'

/** What the gateway says of a rate: a decimal as text, null when there is none up to that day. */
interface Answer {
  rate: string | null
}

/**
 * The exchange rates of one form, asked of the gateway one by one as its expressions come to need them: null until the answer is there, and where
 * no rate says so, which the gateway tells whoever submits. Expressions that have read a rate run again when it comes.
 */
export const createRates = (host: Host): NonNullable<Environment['exchangeRate']> => {
  const known = observable.shallow<Record<string, string | null>>({})
  const asked = new Set<string>()
  const ask = (key: string, query: Readonly<Record<string, string>>): void => {
    asked.add(key)
    host.request<Answer>({ method: 'GET', path: '/v2/workflow/form/rate', query }).then(
      ({ rate }) => {
        known[key] = rate
      },
      (error: unknown) => {
        // asked for again with the next key that is struck
        asked.delete(key)
        if (!isAborted(error)) host.notify('warning', toFailure(error, host.locale).message)
      },
    )
  }
  return (from, to, day, kind) => {
    const key = `${from} ${to} ${day} ${kind}`
    const rate = known[key]
    if (rate === undefined && !asked.has(key)) ask(key, { from, to, day, kind })
    return toExact(rate) ?? null
  }
}
