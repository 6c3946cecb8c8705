import type { FastifyInstance } from 'fastify'
import type { Executor } from '../database'
import { ServiceError, readCookie } from '../http'
import type { RequestContext } from '../http'
import { AuthorizationCodes } from './authorization'
import { SessionCheck } from './check'
import type { EndedSessions } from './check'
import { CompanionCookie } from './companion'
import { CorporateSignIn } from './corporate'
import { KnownDevices } from './devices'
import { registerIdentity } from './identityRoutes'
import { registerOAuth } from './oauthRoutes'
import type { SessionOptions } from './options'
import { storePassword } from './passwords'
import { SessionStore } from './sessions'
import { SignInThrottle } from './throttle'
import { createTokenSigner } from './tokens'
import type { TokenSigner } from './tokens'
import { VerificationCodes } from './verification'

export { sessionTables } from './tables'
export type { EndedSessions } from './check'
export type {
  CorporateIdentity,
  CorporatePlatform,
  DemoStaff,
  SessionOptions,
  SignInStaff,
  StaffDirectory,
  StaffRights,
} from './options'
export type { TokenSigner } from './tokens'

/** What other capabilities may do with sessions. */
export interface SessionService {
  readonly signer: TokenSigner
  /** Ends every session of a person (left, disabled, password reset); pass the transaction of the write. Returns how many ended. */
  endSessions(staffId: string, reason: string, executor?: Executor): Promise<number>
  /** Sets the password of some people; with `oneTimeUntil` it has to be replaced at the first sign-in. */
  setPassword(executor: Executor, staffIds: readonly string[], password: string, oneTimeUntil?: Date): Promise<void>
  /** The context that a person would have now, for background work in their name; null when they may not enter. */
  contextOf(staffId: string, caller: Pick<RequestContext, 'locale' | 'traceId'>): Promise<RequestContext | null>
  /** The sign-in before the present one, and when the password was set. */
  history(
    staffId: string,
  ): Promise<{ previous: { at: string; ip: string; way: string } | null; passwordChangedAt: string | null }>
  /** Whether the identity page offers the demo staff: only where the demo world is. */
  offerDemoStaff(offered: boolean): void
  /** The token still counts and its session is open. */
  stillOpen(authorization: string | undefined): Promise<boolean>
  /** Tells of sessions that may have ended, on whatever instance; null = anybody's. Ask `stillOpen` then. */
  followEnds(follower: (ended: EndedSessions | null) => void): void
  /** Removes what is over. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/**
 * Sign-in and the session check of every route that is not `config.open`. Register it after createServer and before any
 * route: it puts the caller's context on each request and enforces `config.permission`.
 */
export async function registerSession(app: FastifyInstance, options: SessionOptions): Promise<SessionService> {
  const now = options.now ?? (() => new Date())
  const { database, directory } = options
  let demoSignIn = options.demoSignIn
  const durations = {
    access: options.accessTokenSeconds ?? 7200,
    refresh: options.refreshTokenSeconds ?? 7 * 86_400,
    session: options.sessionSeconds ?? 30 * 86_400,
  }
  const signer = await createTokenSigner(database, now)
  const sessions = new SessionStore(database, signer, durations, now)
  const check = new SessionCheck(signer, sessions, directory, now)
  const stopListening = await check.listen(database)
  const throttle = new SignInThrottle(database, now)
  const codes = new AuthorizationCodes(database, sessions, now)
  const verification = new VerificationCodes(database, now)
  const corporate = options.corporate ? new CorporateSignIn(database, options.corporate, now) : null

  authenticate(app, check, `${options.environment.toUpperCase()}_token`)
  app.addHook('onRequest', async (request) => {
    const { callsCounted, url = '' } = request.routeOptions.config
    if (callsCounted) await throttle.countCall(url, request.ip)
  })
  const companion = new CompanionCookie(options, durations.refresh)
  registerOAuth(app, { options, signer, sessions, check, codes, companion, throttle, corporate, now })
  if (!corporate)
    registerIdentity(app, {
      options,
      demoSignIn: () => demoSignIn,
      database,
      signer,
      codes,
      throttle,
      devices: new KnownDevices(database, signer, options.addresses, now),
      verification,
      now,
    })

  return {
    signer,
    endSessions: async (staffId, reason, executor = database) => {
      const ended = await sessions.revokeAll(staffId, reason, { executor })
      check.forget(`staff:${staffId}`)
      return ended
    },
    setPassword: (executor, staffIds, password, oneTimeUntil) =>
      storePassword(executor, staffIds, password, { now: now(), oneTimeUntil }),
    contextOf: async (staffId, caller) => {
      const moment = now()
      const rights = await directory.rightsOf(staffId, moment)
      return rights && { kind: 'staff', ...rights, ...caller, now: moment, ip: '', sessionId: '' }
    },
    history: async (staffId) => {
      const signIns = await database.query<{ at: string; ip: string; way: string }>(
        'select at, ip, way from auth_sign_in where staff_id = $1 order by at desc limit 2',
        [staffId],
      )
      const password = await database.query<{ changedAt: string }>(
        'select changed_at as "changedAt" from auth_credential where staff_id = $1',
        [staffId],
      )
      return { previous: signIns.rows[1] ?? null, passwordChangedAt: password.rows[0]?.changedAt ?? null }
    },
    offerDemoStaff: (offered) => {
      demoSignIn = offered
    },
    stillOpen: (authorization) =>
      check.contextFor(authorization, { locale: 'zh', traceId: '', ip: '' }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ServiceError) return false
          throw error
        },
      ),
    followEnds: (follower) => check.follow(follower),
    sweep: () => sessions.sweep(),
    close: stopListening,
  }
}

function authenticate(app: FastifyInstance, check: SessionCheck, cookie: string): void {
  app.addHook('onRequest', async (request) => {
    if (request.is404 || request.method === 'OPTIONS') return
    const { open, permission, tokenCookie } = request.routeOptions.config
    const kept = tokenCookie ? readCookie(request, cookie) : undefined
    const authorization = request.headers.authorization ?? (kept === undefined ? undefined : `Bearer ${kept}`)
    if (open && authorization === undefined) return
    const caller = { locale: request.locale, traceId: request.id, ip: request.ip }
    try {
      request.callContext = await check.contextFor(authorization, caller)
    } catch (error) {
      // An open route answers everybody, also those who bring a token of the past.
      if (open && error instanceof ServiceError) return
      throw error
    }
    if (permission === undefined) return
    const keys = [permission].flat()
    const { permissions } = request.callContext
    if (!keys.some((key) => permissions.has(key)))
      throw new ServiceError('noPermission', { data: { permission: keys.join(' | ') } })
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A call of sign-in: one address may make so many a minute, over all gateways. */
    callsCounted?: boolean
  }
}
