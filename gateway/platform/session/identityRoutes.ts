import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nanoid } from 'nanoid'
import type { Database } from '../database'
import { ServiceError, localeFrom } from '../http'
import type { Locale, OwnAddresses, Text } from '../http'
import type { AuthorizationCodes, AuthorizationRequest } from './authorization'
import { returnAddress } from './authorization'
import type { KnownDevices } from './devices'
import type { SessionOptions, SignInStaff } from './options'
import { identityScript, identityStyle } from './pages/assets'
import type { PageLanguage } from './pages/layout'
import { renderFaultPage, renderNewPasswordPage } from './pages/otherPages'
import { renderSignInPage } from './pages/signInPage'
import type { SignInPage } from './pages/signInPage'
import {
  NAME_SHAPE,
  PASSWORD_SHAPE,
  VERIFICATION_SHAPE,
  checkPassword,
  passwordProblem,
  storePassword,
  usedBeforeText,
  wasUsedBefore,
} from './passwords'
import { nobodyAt } from './throttle'
import type { Attempt, SignInThrottle } from './throttle'
import type { TokenSigner } from './tokens'
import type { VerificationCodes } from './verification'

export interface IdentityParts {
  options: SessionOptions
  demoSignIn: () => boolean
  database: Database
  signer: TokenSigner
  codes: AuthorizationCodes
  throttle: SignInThrottle
  devices: KnownDevices
  verification: VerificationCodes
  now: () => Date
}

const IDENTITY_SECONDS = 900
const NEW_PASSWORD_SECONDS = 600
type Form = Readonly<Record<string, string | undefined>>

const messages = {
  name: { zh: '用户名格式不正确', en: 'The user name has the wrong format' },
  password: { zh: '密码格式不正确', en: 'The password has the wrong format' },
  verification: { zh: '验证码格式不正确', en: 'The verification code has the wrong format' },
  wrongVerification: { zh: '验证码不正确或已过期', en: 'The verification code is wrong or has expired' },
  expiredPassword: {
    zh: '一次性密码已过期，请联系管理员重新生成。',
    en: 'The one-time password has expired. Please ask an administrator for a new one.',
  },
  unknownPerson: {
    zh: '该员工不存在或已停用，请选择其他员工。',
    en: 'This person is unknown or disabled. Please choose somebody else.',
  },
  oldRequest: { zh: '登录页面已过期，请重新登录。', en: 'This sign-in page has expired. Please start again.' },
  foreign: {
    zh: '该登录表单来自其他网站，未处理。请从门户重新登录。',
    en: 'This sign-in form was sent by another site and is not taken. Please sign in from the portal.',
  },
  different: { zh: '两次输入的密码不一致。', en: 'The two passwords are not the same.' },
} as const satisfies Record<string, Text>

/** The signed form of an authorization request that travels through the pages. */
export function signIdentityRequest(signer: TokenSigner, request: AuthorizationRequest): Promise<string> {
  return signer.sign('identity', { ...request }, IDENTITY_SECONDS)
}

/** The embedded identity provider: pages under /auth/identity and the verification code at /dcode. */
export function registerIdentity(app: FastifyInstance, parts: IdentityParts): void {
  const { options, demoSignIn, database, signer, codes, throttle, devices, verification, now } = parts
  const page = { schema: { hide: true }, config: { open: true } }
  const guarded = { schema: { hide: true }, config: { open: true, callsCounted: true } }
  /** A form that another site sends is not ours, whatever it holds: whoever fell for it would be signed in as somebody else. */
  const posted = {
    ...guarded,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      if (!fromOwnPage(request, options.addresses)) return sendFault(reply, localeOf(request, undefined), messages.foreign, 403)
      return undefined
    },
  }

  async function readRequest(token: string | undefined): Promise<AuthorizationRequest | null> {
    const claims = await signer.verify('identity', token ?? '')
    if (typeof claims === 'string') return null
    const { clientId, redirectUri, state, codeChallenge } = claims
    return typeof clientId === 'string' &&
      typeof redirectUri === 'string' &&
      typeof state === 'string' &&
      typeof codeChallenge === 'string'
      ? { clientId, redirectUri, state, codeChallenge }
      : null
  }

  async function showSignIn(
    reply: FastifyReply,
    page: Pick<SignInPage, 'request' | 'tab'> &
      Partial<Pick<SignInPage, 'error' | 'wrongField' | 'name'>> & {
        locale: Locale
        verify: boolean
        target: AuthorizationRequest
      },
  ): Promise<FastifyReply> {
    const { locale, tab, verify, target, ...rest } = page
    const address = (changes: Record<string, string>) =>
      `/auth/identity?${new URLSearchParams({ request: page.request, tab, lang: locale, ...changes }).toString()}`
    const people = demoSignIn() ? await options.directory.listForDemo() : null
    const html = renderSignInPage({
      ...rest,
      tab: people === null ? 'password' : tab,
      people,
      language: { locale, switchTo: address({ lang: locale === 'zh' ? 'en' : 'zh' }) },
      otherTab: address({ tab: tab === 'demo' ? 'password' : 'demo' }),
      ...(verify ? { verificationId: nanoid() } : {}),
    })
    allowFormsTo(reply, new URL(target.redirectUri).origin)
    return reply.type('text/html; charset=utf-8').send(html)
  }

  /** Goes back to the portal with a code. */
  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    target: AuthorizationRequest,
    staffId: string,
    way: string,
  ): Promise<FastifyReply> {
    const code = await codes.issue(target, staffId, way)
    await options.directory.signedIn(staffId, now())
    await devices.remember(request, reply, staffId)
    return reply.redirect(returnAddress(target, code), 303)
  }

  app.get('/auth/identity', page, async (request, reply) => {
    const query = request.query as Form
    const locale = localeOf(request, query['lang'])
    const target = await readRequest(query['request'])
    if (!target) return sendFault(reply, locale, messages.oldRequest)
    const tab = query['tab'] === 'password' || !demoSignIn() ? 'password' : 'demo'
    const verify = tab === 'password' && (await throttle.verificationNeeded(nobodyAt(request.ip)))
    return showSignIn(reply, { request: query['request'] ?? '', tab, locale, verify, target })
  })

  app.post('/auth/identity/demo', posted, async (request, reply) => {
    const form = request.body as Form
    const locale = localeOf(request, form['lang'])
    const target = await readRequest(form['request'])
    if (!demoSignIn()) throw new ServiceError('noAddress')
    if (!target) return sendFault(reply, locale, messages.oldRequest)
    const person = await options.directory.byId(form['staffId'] ?? '')
    if (person?.mayEnter) return enter(request, reply, target, person.staffId, 'demo')
    return showSignIn(reply, {
      request: form['request'] ?? '',
      tab: 'demo',
      locale,
      verify: false,
      target,
      error: messages.unknownPerson,
    })
  })

  app.post('/auth/identity/password', posted, async (request, reply) => {
    const form = request.body as Form
    const locale = localeOf(request, form['lang'])
    const target = await readRequest(form['request'])
    if (!target) return sendFault(reply, locale, messages.oldRequest)
    const { name = '', password = '' } = form
    const isName = NAME_SHAPE.test(name.trim())
    const named = isName ? await options.directory.byName(name.trim()) : null
    const attempt = isName ? await devices.attemptOf(request, name, named?.staffId ?? null) : nobodyAt(request.ip)
    const again = async (error: Text, wrongField?: SignInPage['wrongField']) => {
      const verify = await throttle.verificationNeeded(attempt)
      return showSignIn(reply, {
        request: form['request'] ?? '',
        tab: 'password',
        locale,
        verify,
        target,
        error,
        wrongField,
        name,
      })
    }
    if (!isName) return again(messages.name, 'name')
    if (!PASSWORD_SHAPE.test(password)) return again(messages.password, 'password')
    try {
      if (await throttle.verificationNeeded(attempt)) {
        const { verificationId = '', verification: typed = '' } = form
        if (!VERIFICATION_SHAPE.test(typed)) return await again(messages.verification, 'verification')
        if (!(await verification.take(verificationId, typed))) return await again(messages.wrongVerification, 'verification')
      }
      const { person, oneTime } = await requirePassword(attempt, named, password)
      if (!oneTime) return await enter(request, reply, target, person.staffId, 'password')
      const proof = await signer.sign('newPassword', { sub: person.staffId, request: form['request'] }, NEW_PASSWORD_SECONDS)
      allowFormsTo(reply, new URL(target.redirectUri).origin)
      return await reply.type('text/html; charset=utf-8').send(renderNewPasswordPage({ proof, language: fixedLanguage(locale) }))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.status === 429) reply.status(429)
      return again(error.text)
    }
  })

  async function requirePassword(
    attempt: Attempt,
    person: SignInStaff | null,
    password: string,
  ): Promise<{ person: SignInStaff; oneTime: boolean }> {
    const { result, oneTime, right } = await throttle.attempt(attempt, async () => {
      const checked = await checkPassword(database, person?.staffId ?? null, password, now())
      return { ...checked, right: checked.result === 'right' && person?.mayEnter === true }
    })
    if (!person || !right)
      throw new ServiceError('wrongCredentials', result === 'expired' ? { message: messages.expiredPassword } : {})
    return { person, oneTime }
  }

  app.post('/auth/identity/new-password', posted, async (request, reply) => {
    const form = request.body as Form
    const locale = localeOf(request, form['lang'])
    const claims = await signer.verify('newPassword', form['proof'] ?? '')
    const target = typeof claims === 'string' ? null : await readRequest(String(claims['request']))
    const person = typeof claims === 'string' ? null : await options.directory.byId(claims.sub ?? '')
    if (!target || !person?.mayEnter) return sendFault(reply, locale, messages.oldRequest)
    const { password = '', repeat = '' } = form
    const problem =
      passwordProblem(password, person) ??
      (password === repeat ? undefined : messages.different) ??
      ((await wasUsedBefore(database, person.staffId, password)) ? usedBeforeText : undefined)
    if (problem) {
      allowFormsTo(reply, new URL(target.redirectUri).origin)
      return reply
        .type('text/html; charset=utf-8')
        .send(renderNewPasswordPage({ proof: form['proof'] ?? '', language: fixedLanguage(locale), error: problem }))
    }
    const { rows } = await database.query('select 1 from auth_credential where staff_id = $1 and one_time', [person.staffId])
    if (rows.length === 0) return sendFault(reply, locale, messages.oldRequest)
    await storePassword(database, [person.staffId], password, { now: now() })
    return enter(request, reply, target, person.staffId, 'password')
  })

  app.get(
    '/dcode',
    { ...guarded, schema: { summary: 'Verification code as an image (R282)', tags: ['auth'] } },
    async (request, reply) => {
      const { id } = request.query as Form
      const chosen = id !== undefined && /^[\w-]{8,64}$/.test(id) ? id : nanoid()
      return reply
        .header('x-verification-id', chosen)
        .type('image/png')
        .send(await verification.draw(chosen))
    },
  )

  const asset = (url: string, type: string, text: string) =>
    app.get(url, { schema: { hide: true }, config: { open: true, quiet: true } }, (_request, reply) =>
      reply.header('cache-control', 'no-cache').type(type).send(text),
    )
  asset('/auth/identity/identity.css', 'text/css; charset=utf-8', identityStyle)
  asset('/auth/identity/identity.js', 'text/javascript; charset=utf-8', identityScript)
}

/** A page that says why sign-in cannot go on; the address of the caller is not used. */
export function sendFault(reply: FastifyReply, locale: Locale, message: Text, status = 400): FastifyReply {
  return reply
    .status(status)
    .type('text/html; charset=utf-8')
    .send(renderFaultPage({ message, language: fixedLanguage(locale) }))
}

/** Whether a form comes from a page of ours; programs that are no browser say nothing of where they come from. */
function fromOwnPage({ headers }: FastifyRequest, addresses: Pick<OwnAddresses, 'knows'>): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (typeof site === 'string') return site === 'same-origin' || site === 'none'
  if (origin === undefined) return true
  return URL.canParse(origin) && addresses.knows(new URL(origin).host)
}

export function localeOf(request: FastifyRequest, wanted: string | undefined): Locale {
  return wanted === 'zh' || wanted === 'en' ? wanted : localeFrom(request.headers['accept-language'])
}

/** Pages that a form led to cannot be shown again by an address: the switch starts sign-in anew. */
function fixedLanguage(locale: Locale): PageLanguage {
  return { locale, switchTo: `/login?lang=${locale === 'zh' ? 'en' : 'zh'}` }
}

/** Browsers check the policy also for where a form is redirected to: the portal's origin has to be in it. */
function allowFormsTo(reply: FastifyReply, origin: string): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  reply.header('content-security-policy', policy.replace("form-action 'self'", `form-action 'self' ${origin}`))
}
