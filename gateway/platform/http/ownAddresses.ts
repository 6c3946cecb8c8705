import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from './serviceError'

/** Where browsers reach the gateway: told by the configuration, never by a request. */
export interface OwnAddresses {
  /** The origin that the gateway names when it speaks of itself. */
  readonly canonical: string
  /** Origins whose /authorize may receive codes. */
  readonly origins: readonly string[]
  /** Whether a Host header names us. */
  knows(host: string): boolean
  /** Whether it names us by another of our addresses than the canonical one. */
  isOther(host: string): boolean
  /** Whether browsers that come by this Host use https. */
  isSecure(host: string): boolean
}

export interface AddressOptions {
  /** Origins of PUBLIC_URL, the canonical one first; none = loopback on the port that is listened on. */
  publicOrigins: readonly string[]
  /** Other origins that lead here, e.g. that of GATEWAY_BASE_URL. */
  alsoHere: readonly string[]
  /** Address that is listened on. */
  host: string
  port: number
  /** What is listened on, once it is. */
  listening(): AddressInfo | string | null
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/
const ANY = new Set(['0.0.0.0', '::', '[::]', ''])
/** Unknown hosts that are named in the log; anybody can make up more. */
const MOST_LOGGED = 50

/** The addresses by the configuration; the port of loopback ones is known once the gateway listens. */
export function ownAddresses({ publicOrigins, alsoHere, host, port, listening }: AddressOptions): OwnAddresses {
  const configured = new Set([...publicOrigins, ...alsoHere].flatMap(hostsOf))
  const local = () => {
    const bound = listening()
    const taken = typeof bound === 'object' && bound !== null ? bound.port : port
    const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
    const names = ANY.has(host) ? LOOPBACK : [...new Set([...LOOPBACK, name.toLowerCase()])]
    return names.map((each) => new URL(`http://${each}:${taken}`).origin)
  }
  const origins = () => (publicOrigins.length > 0 ? publicOrigins : local())
  return {
    get canonical() {
      return origins()[0] ?? ''
    },
    get origins() {
      return origins()
    },
    knows(given) {
      const asked = given.toLowerCase()
      return (
        isLoopbackHost(asked) || configured.has(asked) || (publicOrigins.length === 0 && local().flatMap(hostsOf).includes(asked))
      )
    },
    isOther(given) {
      const [first = '', ...others] = origins()
      const asked = given.toLowerCase()
      return !hostsOf(first).includes(asked) && [...others, ...alsoHere].flatMap(hostsOf).includes(asked)
    },
    isSecure(given) {
      const asked = given.toLowerCase()
      const all = [...origins(), ...alsoHere]
      // A proxy may have put its own name for us in place of ours.
      return (all.find((origin) => hostsOf(origin).includes(asked)) ?? all[0] ?? '').startsWith('https:')
    },
  }
}

/** Whether a Host header names this very machine, on whatever port. */
export function isLoopbackHost(host: string): boolean {
  const name = HOST.exec(host.toLowerCase())?.[1]
  return name !== undefined && LOOPBACK.includes(name)
}

/** The Host headers of an origin: without a port, and with the one that goes without saying. */
function hostsOf(origin: string): string[] {
  const { host, port, protocol } = new URL(origin)
  return port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host]
}

/** Refuses every request for another host, so that nothing can be made of a forged one; also DNS rebinding ends here. */
export function refuseUnknownHosts(app: FastifyInstance, knows: (host: string) => boolean): void {
  const logged = new Set<string>()
  app.addHook('onRequest', async (request) => {
    const { host } = request
    if (knows(host)) return
    if (!logged.has(host) && logged.size < MOST_LOGGED) {
      logged.add(host)
      request.log.warn({ host: host.slice(0, 200) }, 'requests for a host that PUBLIC_URL does not name are refused')
    }
    throw new ServiceError('unknownHost')
  })
}
