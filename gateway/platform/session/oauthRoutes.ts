import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError, contextOf, ok, readCookie, setHiddenCookie } from '../http'
import type { Text } from '../http'
import { parseAuthorization, returnAddress } from './authorization'
import type { AuthorizationCodes, AuthorizationFault } from './authorization'
import type { SessionCheck } from './check'
import type { CompanionCookie } from './companion'
import { ROUND_TRIP_SECONDS } from './corporate'
import type { CorporateSignIn } from './corporate'
import { localeOf, sendFault, signIdentityRequest } from './identityRoutes'
import type { SessionOptions } from './options'
import { checkPassword, passwordProblem, storePassword, usedBeforeText, wasUsedBefore } from './passwords'
import { newSecret, sameSecret } from './secrets'
import type { IssuedTokens, SessionStore } from './sessions'
import type { SignInThrottle } from './throttle'
import type { TokenSigner } from './tokens'

interface OAuthParts {
  options: SessionOptions
  signer: TokenSigner
  sessions: SessionStore
  check: SessionCheck
  codes: AuthorizationCodes
  companion: CompanionCookie
  throttle: SignInThrottle
  corporate: CorporateSignIn | null
  now: () => Date
}

type Query = Readonly<Record<string, string | undefined>>

const faults: Readonly<Record<AuthorizationFault, Text>> = {
  client: {
    zh: '登录请求的客户端（client_id）未知，请从门户重新登录。',
    en: 'The client (client_id) of this sign-in request is not known. Please start from the portal.',
  },
  redirect: {
    zh: '登录请求的返回地址（redirect_uri）不属于本门户。请从门户重新登录；若这就是门户的地址，请管理员把它写入 PUBLIC_URL。',
    en: 'The return address (redirect_uri) of this sign-in request is not one of this portal. Please start from the portal; if this is its address, an operator has to name it in PUBLIC_URL.',
  },
  state: {
    zh: '登录请求缺少 state 参数，请从门户重新登录。',
    en: 'The sign-in request has no usable state. Please start from the portal.',
  },
  scope: { zh: '登录请求的范围（scope）只能是 staff。', en: 'The scope of a sign-in request can only be staff.' },
  challenge: {
    zh: '登录请求缺少 PKCE 参数（code_challenge，S256），请刷新门户后重新登录。',
    en: 'The sign-in request has no PKCE challenge (code_challenge, S256). Please reload the portal and start again.',
  },
  responseType: { zh: '登录请求的 response_type 只能是 code。', en: 'The response_type of a sign-in request can only be code.' },
}
const notStaff: Text = {
  zh: '企业账号未关联在职员工，请联系管理员。',
  en: 'Your corporate account belongs to no current member of staff here. Please ask an administrator.',
}
const CALLBACK = '/auth/oauth/callback'
/** Names the browser between its way to the corporate platform and back. A neighbouring host cannot set the prefixed one. */
const browserCookie = (secure: boolean) => (secure ? '__Host-switchboard_browser' : 'switchboard_browser')
const text = { type: 'string', maxLength: 2000 } as const
const counted = { open: true, callsCounted: true }

/** OAuth calls of the specification (R003, R149, R316), sign-out and the change of a password. */
export function registerOAuth(app: FastifyInstance, parts: OAuthParts): void {
  const { options, signer, sessions, check, codes, companion, throttle, corporate, now } = parts
  const { addresses } = options

  app.get(
    '/auth/oauth/authorize',
    { schema: { summary: 'Begins sign-in; answers with a page or a redirect', tags: ['auth'] }, config: counted },
    async (request, reply) => {
      const origins = [...addresses.origins, ...options.portalOrigins]
      const parsed = parseAuthorization(request.query as Query, { clientId: options.clientId, origins })
      const locale = localeOf(request, (request.query as Query)['lang'])
      if (typeof parsed === 'string') return sendFault(reply, locale, faults[parsed])
      if (corporate) {
        // The platform leads back to the canonical address, and only there the browser shows the cookie that it leaves with.
        if (addresses.isOther(request.host)) {
          const query = request.url.slice(request.url.indexOf('?'))
          return reply.redirect(`${addresses.canonical}/auth/oauth/authorize${query}`, 302)
        }
        const secure = addresses.isSecure(request.host)
        const browser = readCookie(request, browserCookie(secure)) ?? newSecret()
        setHiddenCookie(reply, browserCookie(secure), browser, { path: '/', maxAge: ROUND_TRIP_SECONDS, secure })
        return reply.redirect(await corporate.begin(parsed, addresses.canonical + CALLBACK, browser), 302)
      }
      const signed = await signIdentityRequest(signer, parsed)
      return reply.redirect(`/auth/identity?${new URLSearchParams({ request: signed, lang: locale }).toString()}`, 302)
    },
  )

  if (corporate) {
    app.get(CALLBACK, { schema: { hide: true }, config: counted }, async (request, reply) => {
      const { code, authCode, state = '' } = request.query as Query
      const locale = localeOf(request, undefined)
      try {
        const { request: target, identity } = await corporate.complete(
          code ?? authCode ?? '',
          state,
          addresses.canonical + CALLBACK,
          readCookie(request, browserCookie(addresses.isSecure(request.host))) ?? '',
        )
        const person = await options.directory.byCorporateIdentity(identity)
        if (!person?.mayEnter) return await sendFault(reply, locale, notStaff, 403)
        await options.directory.signedIn(person.staffId, now())
        return await reply.redirect(returnAddress(target, await codes.issue(target, person.staffId, 'corporate')), 303)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        request.log.warn({ err: error }, 'corporate sign-in failed')
        return sendFault(reply, locale, error.text, error.status === 200 ? 400 : error.status)
      }
    })
  }

  const codeQuery = {
    type: 'object',
    required: ['code', 'state'],
    properties: { code: text, state: text, code_verifier: text, client_id: text, redirect_uri: text, scope: text },
  } as const
  app.get(
    '/auth/oauth/dingAuth',
    {
      schema: { summary: 'Exchanges the code of the OAuth return for tokens', tags: ['auth'], querystring: codeQuery },
      config: counted,
    },
    async (request, reply) => {
      const { code = '', client_id: clientId = options.clientId } = request.query as Query
      requireClient(options, clientId, undefined)
      return give(request, reply, await exchange(request, code))
    },
  )

  const tokenQuery = {
    type: 'object',
    required: ['client_id'],
    properties: {
      client_id: text,
      client_secret: text,
      scope: text,
      grant_type: text,
      refresh_token: text,
      code: text,
      state: text,
      code_verifier: text,
    },
  } as const
  app.get(
    '/auth/oauth/token',
    {
      schema: { summary: 'Refreshes the tokens (R316); also takes a code', tags: ['auth'], querystring: tokenQuery },
      config: counted,
    },
    async (request, reply) => {
      const {
        client_id: clientId = '',
        client_secret: secret,
        scope = 'staff',
        refresh_token: refreshToken,
        code,
      } = request.query as Query
      requireClient(options, clientId, secret)
      if (scope !== 'staff') throw invalid('scope', { zh: 'scope 只能是 staff。', en: 'The scope can only be staff.' })
      if (refreshToken !== undefined) return give(request, reply, await sessions.refresh(refreshToken, companion.read(request)))
      if (code !== undefined) return give(request, reply, await exchange(request, code))
      throw invalid('refresh_token', {
        zh: '请求须带 refresh_token 或 code。',
        en: 'The request needs a refresh_token or a code.',
      })
    },
  )

  function exchange(request: FastifyRequest, code: string): Promise<IssuedTokens> {
    const { state = '', code_verifier: verifier = '' } = request.query as Query
    const caller = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' }
    return codes.exchange(code, { state, verifier }, caller)
  }

  function give(request: FastifyRequest, reply: FastifyReply, issued: IssuedTokens) {
    companion.give(request, reply, issued.companion)
    return ok(issued.tokens)
  }

  const signOutBody = { type: ['object', 'null'], properties: { everywhere: { type: 'boolean' }, refreshToken: text } } as const
  app.post(
    '/v2/sys/staff/user/signOut',
    { schema: { summary: 'Ends this session, or all of the person', tags: ['auth'], body: signOutBody }, config: counted },
    async (request, reply) => {
      companion.remove(request, reply)
      const body = (request.body ?? {}) as { everywhere?: boolean; refreshToken?: string }
      const context = request.callContext
      const session = context
        ? { sessionId: context.sessionId, staffId: context.user.staffId }
        : body.refreshToken !== undefined
          ? await sessions.sessionOfRefreshToken(body.refreshToken)
          : null
      // Signing out of a session that is over already is a success.
      if (!session) return ok({ ended: 0 })
      if (!body.everywhere) {
        await sessions.revoke(session.sessionId, 'signOut')
        check.forget(`session:${session.sessionId}`)
        return ok({ ended: 1 })
      }
      const ended = await sessions.revokeAll(session.staffId, 'signOutEverywhere')
      check.forget(`staff:${session.staffId}`)
      return ok({ ended })
    },
  )

  const passwordBody = {
    type: 'object',
    required: ['oldPassword', 'newPassword'],
    additionalProperties: false,
    properties: { oldPassword: { type: 'string', maxLength: 200 }, newPassword: { type: 'string', maxLength: 200 } },
  } as const
  app.post(
    '/v2/sys/staff/user/changePassword',
    { schema: { summary: 'Changes the own password; other sessions end', body: passwordBody } },
    async (request) => {
      const context = contextOf(request)
      const { oldPassword, newPassword } = request.body as { oldPassword: string; newPassword: string }
      const { user } = context
      const { right } = await throttle.attemptToChange(user.staffId, async () => {
        const { result } = await checkPassword(options.database, user.staffId, oldPassword, now())
        return { right: result !== 'wrong' }
      })
      if (!right)
        throw new ServiceError('wrongCredentials', {
          message: { zh: '原密码不正确。', en: 'The old password is wrong.' },
          data: { errors: [{ field: 'oldPassword', message: '' }] },
        })
      const person = await options.directory.byId(user.staffId)
      const same: Text | undefined =
        oldPassword === newPassword
          ? { zh: '新密码不能与原密码相同。', en: 'The new password has to differ from the old one.' }
          : undefined
      const problem =
        same ??
        passwordProblem(newPassword, { ...user, email: person?.email ?? null }) ??
        ((await wasUsedBefore(options.database, user.staffId, newPassword)) ? usedBeforeText : undefined)
      if (problem)
        throw new ServiceError('validationFailed', {
          message: problem,
          data: { errors: [{ field: 'newPassword', message: problem[context.locale] }] },
        })
      const ended = await options.database.transaction(async (transaction) => {
        await storePassword(transaction, [user.staffId], newPassword, { now: now() })
        const others = await sessions.revokeAll(user.staffId, 'passwordChanged', {
          except: context.sessionId,
          executor: transaction,
        })
        await context.idempotence?.settle(transaction, ok({ ended: others }))
        return others
      })
      check.forget(`staff:${user.staffId}`)
      return ok({ ended })
    },
  )
}

function requireClient(options: SessionOptions, clientId: string, secret: string | undefined): void {
  const known =
    clientId === options.clientId &&
    (secret === undefined || options.clientSecret === undefined || secret === '' || sameSecret(secret, options.clientSecret))
  if (!known) throw invalid('client_id', { zh: '客户端未知或密钥不符。', en: 'The client is not known, or its secret is wrong.' })
}

function invalid(field: string, message: Text): ServiceError {
  return new ServiceError('badRequest', { message, data: { errors: [{ field, message: message.en }] } })
}
