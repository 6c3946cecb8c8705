import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, setHiddenCookie } from '../http'
import type { SessionOptions } from './options'

/** Only the token calls get to see it. */
const PATH = '/auth/oauth'

/**
 * The cookie that goes with a refresh token: the token lies where scripts read it (R174, R316), its companion does not, and one is
 * worth nothing without the other. Both are exchanged at each refresh.
 */
export class CompanionCookie {
  constructor(
    private readonly options: Pick<SessionOptions, 'environment' | 'addresses' | 'portalOrigins'>,
    private readonly seconds: number,
  ) {}

  read(request: FastifyRequest): string {
    return readCookie(request, this.name) ?? ''
  }

  give(request: FastifyRequest, reply: FastifyReply, companion: string): void {
    this.set(request, reply, companion, this.seconds)
  }

  remove(request: FastifyRequest, reply: FastifyReply): void {
    this.set(request, reply, '', 0)
  }

  private get name(): string {
    return `${this.options.environment.toUpperCase()}_companion`
  }

  private set(request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void {
    const { addresses, portalOrigins } = this.options
    const secure = addresses.isSecure(request.host)
    const { origin, 'sec-fetch-site': site } = request.headers
    // A portal on another site: the browser keeps the cookie over https only.
    const foreign = secure && site === 'cross-site' && origin !== undefined && portalOrigins.includes(origin)
    setHiddenCookie(reply, this.name, value, { path: PATH, maxAge, secure, sameSite: foreign ? 'None' : 'Strict' })
  }
}
