import type { EntityEngine } from '../../entities'
import type { AliasConnector } from './services/alias/connectors'
import { workAliasTasks } from './services/alias/work'
import { expireBlacklist } from './services/blacklist/expire'
import { endClassA } from './services/classA/classApply'
import { expireHandovers } from './services/handover/expire'

export interface CrmWork {
  timeZone: string
  connectors: ReadonlyMap<string, AliasConnector>
  now: () => Date
  onError: (error: unknown, message: string) => void
}

const ALIAS_EVERY = 2_000
const EXPIRY_EVERY = 60_000

/** Works alias tasks as they fall due, and ends what has run out: hand-overs, entries of the blacklist, class A grants. */
export function startCrmWork(engine: EntityEngine, { timeZone, connectors, now, onError }: CrmWork): { stop(): Promise<void> } {
  const running = new Set<Promise<void>>()
  const repeat = (every: number, work: () => Promise<unknown>, fault: string): NodeJS.Timeout => {
    let busy = false
    const timer = setInterval(() => {
      if (busy) return
      busy = true
      const turn = work()
        .then(() => undefined)
        .catch((error: unknown) => onError(error, fault))
        .finally(() => {
          busy = false
          running.delete(turn)
        })
      running.add(turn)
    }, every)
    timer.unref()
    return timer
  }
  const expire = async (): Promise<void> => {
    const at = now()
    await expireHandovers(engine, { now: at, timeZone })
    await expireBlacklist(engine, at)
    await endClassA(engine, { now: at, timeZone })
  }
  const timers = [
    repeat(ALIAS_EVERY, () => workAliasTasks(engine, { connectors, now }), 'alias tasks could not be worked'),
    repeat(EXPIRY_EVERY, expire, 'what has run out could not be ended'),
  ]
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    },
  }
}
