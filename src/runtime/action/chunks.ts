import { isAborted, toFailure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import type { BulkOutcome } from './outcome'

/** The gateway takes this many records in one call. */
export const MOST_IN_ONE_CALL = 500

/**
 * Sends many records in several calls, one after the other, and joins the results. When a later call fails, what was done stays
 * done and the rest is refused with the reason; only a failure of the first call is thrown.
 */
export const inChunks = async (
  host: Host,
  ids: readonly string[],
  send: (ids: readonly string[]) => Promise<BulkOutcome | null>,
): Promise<BulkOutcome | null> => {
  const first = await send(ids.slice(0, MOST_IN_ONE_CALL))
  if (ids.length <= MOST_IN_ONE_CALL) return first
  return joined(first, await restInChunks(host, ids.slice(MOST_IN_ONE_CALL), send))
}

/** The calls after the first one; never throws. */
export const restInChunks = async (
  host: Host,
  ids: readonly string[],
  send: (ids: readonly string[]) => Promise<BulkOutcome | null>,
): Promise<BulkOutcome> => {
  let outcome: BulkOutcome = { done: [], refused: [] }
  for (let start = 0; start < ids.length; start += MOST_IN_ONE_CALL) {
    const part = ids.slice(start, start + MOST_IN_ONE_CALL)
    try {
      outcome = joined(outcome, (await send(part)) ?? { done: part, refused: [] })
    } catch (error) {
      const left = part.length === 1 ? part : ids.slice(start)
      const reason = isAborted(error) ? '' : toFailure(error, host.locale).message
      return joined(outcome, { done: [], refused: left.map((id) => ({ id, title: '', reason })) })
    }
  }
  return outcome
}

export const joined = (a: BulkOutcome | null, b: BulkOutcome): BulkOutcome => ({
  done: [...(a?.done ?? []), ...b.done],
  refused: [...(a?.refused ?? []), ...b.refused],
})
