/**
 * What the page says about its environment (R308, R318, R416): read once from `#switchboard-configuration`, so that one
 * build runs everywhere. A missing or misspelt key falls back to its default and is named in `problems`.
 */
export interface Configuration {
  /** test, production or pre-production (R416); prefixes cookie names. Lower case. */
  environment: string
  /** Base address of the gateway without a trailing slash; '' = the origin that served the page. */
  gateway: string
  /** Base address of the streaming host; '' = the gateway. */
  streamingHost: string
  /** Address of the mobile site; '' = there is none. */
  h5: string
  /** Addresses of the modules that open in a new tab (R071). */
  external: Readonly<Partial<Record<ExternalModule, string>>>
  /** Entry addresses of embedded sub-applications by iframeName. */
  embeds: Readonly<Record<string, string>>
  oauth: { authorizeUrl: string; clientId: string; clientSecret: string }
  /** IANA zone in which days begin and end. */
  timeZone: string
  /** Header names that the specification leaves open. */
  headers: { idempotence: string; gray: string }
  /** Sentences for developers: what was wrong in the block. */
  problems: readonly string[]
}

export type ExternalModule = 'IMFS' | 'MONITOR' | 'NWP' | 'BIBOARD'
export const EXTERNAL_MODULES: readonly ExternalModule[] = ['IMFS', 'MONITOR', 'NWP', 'BIBOARD']

/** Reads the block of the document; never throws. */
export function readConfiguration(from: Document): Configuration {
  const text = from.getElementById('switchboard-configuration')?.textContent ?? ''
  try {
    return parseConfiguration(text.trim() === '' ? {} : JSON.parse(text))
  } catch {
    return { ...parseConfiguration({}), problems: ['#switchboard-configuration is not JSON; every default is used'] }
  }
}

export function parseConfiguration(input: unknown): Configuration {
  const problems: string[] = []
  const root = isObject(input) ? input : {}
  if (!isObject(input)) problems.push('the configuration is not an object')

  const text = (
    holder: Record<string, unknown>,
    key: string,
    fallback: string,
    accept: (value: string) => boolean = () => true,
  ) => {
    const value = holder[key]
    if (value === undefined || value === null || value === '') return fallback
    if (typeof value === 'string' && accept(value)) return value
    problems.push(`"${key}" is ${JSON.stringify(value)}; ${JSON.stringify(fallback)} is used`)
    return fallback
  }
  const part = (key: string): Record<string, unknown> => {
    const value = root[key]
    if (isObject(value)) return value
    if (value !== undefined) problems.push(`"${key}" is not an object`)
    return {}
  }
  const addresses = (key: string, allowed?: readonly string[]) => {
    const found: Record<string, string> = {}
    const holder = part(key)
    for (const name of Object.keys(holder)) {
      if (allowed && !allowed.includes(name)) problems.push(`"${key}.${name}" is unknown`)
      else {
        const address = text(holder, name, '', isWebAddress)
        if (address !== '') found[name] = address
      }
    }
    return found
  }

  const oauth = part('oauth')
  const headers = part('headers')
  const base = (key: string) => text(root, key, '', isWebAddress).replace(/\/+$/, '')
  return {
    environment: text(root, 'environment', 'test', (value) => /^[a-z][a-z-]*$/.test(value)),
    gateway: base('gatewayBaseUrl'),
    streamingHost: base('streamingHost'),
    h5: base('h5Url'),
    external: addresses('externalModules', EXTERNAL_MODULES),
    embeds: addresses('microApps'),
    oauth: {
      authorizeUrl: text(oauth, 'authorizeUrl', '', isWebAddress) || '/auth/oauth/authorize',
      clientId: text(oauth, 'clientId', 'switchboard'),
      clientSecret: text(oauth, 'clientSecret', ''),
    },
    timeZone: text(root, 'companyTimeZone', 'Asia/Shanghai', isTimeZone),
    headers: {
      idempotence: text(headers, 'idempotence', 'Idempotency-Key', isHeaderName),
      gray: text(headers, 'gray', 'X-Gray-Version', isHeaderName),
    },
    problems,
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}

const isHeaderName = (value: string) => /^[A-Za-z0-9-]+$/.test(value)

/** An absolute http(s) address or a path of this origin: never javascript:, data: or //host. */
function isWebAddress(value: string): boolean {
  if (/^\/(?![/\\])/.test(value)) return true
  try {
    return /^https?:$/.test(new URL(value).protocol)
  } catch {
    return false
  }
}
