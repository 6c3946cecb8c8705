import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createGateway } from '../../gateway/gateway'
import type { Gateway, GatewayOverrides } from '../../gateway/gateway'
import { readConfiguration } from '../../gateway/platform/configuration'
import { newId } from '../../gateway/platform/database'
import { createLogger, systemContext } from '../../gateway/platform/http'
import { copyGatewayData, type GatewayDatabase } from './gatewayDatabase'

/** A clock that tests turn. */
export class Clock {
  private shift = 0
  readonly now = (): Date => new Date(Date.now() + this.shift)
  forward(seconds: number): void {
    this.shift += seconds * 1000
  }
}

export interface Answer<T = unknown> {
  status: number
  headers: Headers
  code: number
  msg: string
  data: T
  text: string
}

/** Somebody with a token (or without) who calls the gateway over real HTTP. */
export class Caller {
  constructor(
    readonly base: string,
    readonly token: string | null = null,
    readonly refreshToken: string | null = null,
    /** The cookie that goes with the refresh token, as the browser sends it. */
    readonly companion: string = '',
  ) {}

  async raw(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const authorization: Record<string, string> = this.token === null ? {} : { authorization: `Bearer ${this.token}` }
    return fetch(this.base + path, {
      method,
      redirect: 'manual',
      ...init,
      headers: { ...authorization, ...(init.headers as Record<string, string>) },
    })
  }

  async call<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const json =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }
    return read<T>(await this.raw(method, path, { headers, ...json }))
  }

  get<T = unknown>(path: string, headers: Record<string, string> = {}): Promise<Answer<T>> {
    return this.call<T>('GET', path, undefined, headers)
  }

  post<T = unknown>(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer<T>> {
    return this.call<T>('POST', path, body, headers)
  }
}

/** Reads an envelope; fails when the answer is none. */
export async function read<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text()
  const envelope = JSON.parse(text) as { code: number; msg: string; data: T }
  return { status: response.status, headers: response.headers, text, ...envelope }
}

export interface TestStaff {
  id: string
  jobNumber: string
  name?: string
  email?: string
  mainDeptId?: string
  keys?: readonly string[]
  menus?: readonly string[]
  scopes?: Record<string, string[]>
  fieldRules?: Record<string, string>
}

export interface TestGateway {
  gateway: Gateway
  base: string
  folder: string
  clock: Clock
  logs: string[]
  anybody: Caller
  addStaff(staff: TestStaff): Promise<void>
  /** Signs in through the identity page with the password of `addStaff`. */
  signIn(jobNumber: string, password?: string): Promise<Caller>
  close(): Promise<void>
}

export const PASSWORD = 'correct-horse-7'
export const STATE = 'state-of-a-test'
export const VERIFIER = 'verifier-of-a-test-0123456789-0123456789-01'
export const PKCE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
}
export const ADMIN_KEYS = [
  'setModule:authManage:menu:edit',
  'setModule:authManage:permissions:edit',
  'setModule:authManage:user:edit',
  'sys:staff:leave',
]
export const ADMIN_MENUS = [
  'setModule:setModule',
  'setModule:authManage',
  'setModule:authManage:menu',
  'setModule:authManage:permissions',
  'setModule:authManage:user',
]

/** Settings that decide what a data folder holds after the first start; with any of them a gateway makes its own. */
const OWN_DATA = ['SCHEMAS_DIR', 'DATABASE_URL', 'DATABASE_ENGINE', 'ENVIRONMENT_NAME', 'DEMO_NOW', 'CLOCK_SHIFT']

/** A data folder and a database, filled as a first start does, or copied from those that were filled so before in this run. */
export function fillData(folder: string, demo = false, environment: NodeJS.ProcessEnv = {}): Promise<GatewayDatabase> {
  const { DEMO_SCALE = '1', DEMO_SIGN_IN = 'false' } = environment
  return copyGatewayData(demo ? `demo-${DEMO_SCALE}-${DEMO_SIGN_IN}` : 'empty', folder, async (dataDir, databaseUrl) => {
    const settings = {
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      SCHEMAS_DIR: resolve('schemas'),
      PORT: '0',
      JOBS: 'false',
      DEMO_SCALE,
      DEMO_SIGN_IN,
    }
    const logger = createLogger({ level: 'fatal' })
    const first = await createGateway(readConfiguration(settings), { logger, demo, portalRoot: join(dataDir, 'no-portal') })
    await first.close()
  })
}

/**
 * A whole gateway on a database of its own, listening on a free port, with one department and no demo world. In a `folder` of the
 * test, or with settings that decide about the data, it starts its own embedded PostgreSQL there.
 */
export async function startGateway(
  options: GatewayOverrides & { environment?: NodeJS.ProcessEnv; folder?: string; port?: number } = {},
): Promise<TestGateway> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'gw-test-')))
  const clock = new Clock()
  const logs: string[] = []
  const logger = createLogger({ level: 'debug', destination: { write: (line: string) => void logs.push(line) } })
  const environment: NodeJS.ProcessEnv = {
    DATA_DIR: folder,
    SCHEMAS_DIR: resolve('schemas'),
    PORT: String(options.port ?? 0),
    DEMO_SIGN_IN: 'false',
    JOBS: 'false',
    MAIL_SMTP_LISTEN: 'off',
    DATABASE_ENGINE: process.env.DATABASE_ENGINE,
    ...options.environment,
  }
  const { environment: _environment, folder: _folder, port: _port, ...overrides } = options
  const own = OWN_DATA.some((name) => options.environment?.[name] !== undefined || process.env.DATABASE_ENGINE !== undefined)
  const filled = own || options.folder || options.now ? undefined : await fillData(folder, options.demo ?? false, environment)
  if (filled?.url !== undefined) environment.DATABASE_URL = filled.url
  const gateway = await createGateway(readConfiguration(environment), {
    logger,
    demo: false,
    portalRoot: join(folder, 'no-portal'),
    now: clock.now,
    ...overrides,
  })
  const base = (await gateway.listen()).replace('[::1]', 'localhost')
  const { engine, sessions, database } = gateway

  return {
    gateway,
    base,
    folder,
    clock,
    logs,
    anybody: new Caller(base),
    addStaff: async ({
      id,
      jobNumber,
      name = jobNumber,
      email,
      mainDeptId,
      keys = [],
      menus = [],
      scopes = {},
      fieldRules = {},
    }) => {
      const { rows } = await database.query<{ id: string; international: string }>(
        'select id, international from sys_menu_resource',
      )
      const { rows: departments } = await database.query<{ id: string }>(`select id from sys_department where code = 'HQ'`)
      const dept = mainDeptId ?? departments[0]!.id
      await engine.transaction(systemContext({ now: clock.now() }), async (entities) => {
        const base = { version: 1, createdAt: clock.now().toISOString() }
        await entities.insertMany('sys.staff', [
          {
            ...base,
            id,
            jobNumber,
            name,
            email: email ?? null,
            mainDeptId: dept,
            deptIds: [dept],
            position: 'sales',
            status: 'active',
            signInDisabled: false,
          },
        ])
        const roleId = newId()
        const resourceIds = menus
          .map((key) => rows.find((row) => row.international === key)?.id)
          .filter((found) => found !== undefined)
        await entities.insertMany('sys.role', [
          {
            ...base,
            id: roleId,
            code: `role-${jobNumber}`,
            name: `role of ${jobNumber}`,
            resourceIds,
            buttonKeys: keys,
            scopes,
            fieldRules,
            enabled: true,
          },
        ])
        await entities.insertMany('sys.roleMember', [{ ...base, id: newId(), staffId: id, roleId, from: null, until: null }])
      })
      await sessions.setPassword(database, [id], PASSWORD)
    },
    signIn: (jobNumber, password = PASSWORD) => signIn(base, jobNumber, password),
    close: async () => {
      await gateway.close()
      await filled?.drop()
      if (!options.folder) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Begins sign-in; answers the signed request that the identity page carries. */
export async function beginSignIn(base: string, state = STATE): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'switchboard',
    redirect_uri: `${base}/authorize`,
    state,
    scope: 'staff',
    response_type: 'code',
    ...PKCE,
  })
  const begun = await fetch(`${base}/auth/oauth/authorize?${query.toString()}`, { redirect: 'manual' })
  const page = await fetch(base + (begun.headers.get('location') ?? ''))
  return hiddenField(await page.text(), 'request')
}

export function hiddenField(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
}

/** Sends the password form. */
export function sendPassword(base: string, fields: Record<string, string>): Promise<Response> {
  return fetch(`${base}/auth/identity/password`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

/** The code that an identity page sent the browser away with. */
export function codeFrom(response: Response): { code: string; state: string } {
  const address = new URL(response.headers.get('location') ?? 'http://nowhere/')
  return { code: address.searchParams.get('code') ?? '', state: address.searchParams.get('state') ?? '' }
}

export interface Tokens {
  tokenHead: string
  token: string
  expiresIn: number
  refreshToken: string
}

export async function signIn(base: string, name: string, password: string): Promise<Caller> {
  const entered = await sendPassword(base, { request: await beginSignIn(base), name, password })
  if (entered.status !== 303) throw new Error(`${name} could not sign in: ${entered.status} ${await entered.text()}`)
  const { data, headers } = await exchangeCode(base, codeFrom(entered))
  return new Caller(base, data.token, data.refreshToken, companionFrom(headers))
}

/** The cookie that came with a refresh token. */
export function companionFrom(headers: Headers): string {
  const cookie = headers.getSetCookie().find((each) => each.includes('_companion='))
  return cookie?.split(';')[0] ?? ''
}

/** Exchanges a code as the portal does. */
export function exchangeCode(base: string, { code, state }: { code: string; state: string }): Promise<Answer<Tokens>> {
  const query = new URLSearchParams({ code, state, code_verifier: VERIFIER }).toString()
  return new Caller(base).get<Tokens>(`/auth/oauth/dingAuth?${query}`)
}
