/** How the text of an environment variable becomes a value. `read` throws a sentence part: "must be ...". */
export interface Kind<Value> {
  /** For the documentation, for example `number 0-65535`. */
  label: string
  read(text: string): Value
}

export const anyText: Kind<string> = { label: 'text', read: (text) => text }

export function wholeNumber(from: number, to: number): Kind<number> {
  return {
    label: `whole number ${from}-${to}`,
    read(text) {
      const value = Number(text)
      if (!/^\d+$/.test(text) || value < from || value > to) throw new Error(`must be a whole number from ${from} to ${to}`)
      return value
    },
  }
}

export function factor(from: number, to: number): Kind<number> {
  return {
    label: `number ${from}-${to}`,
    read(text) {
      const value = Number(text)
      if (text.trim() === '' || !(value >= from && value <= to)) throw new Error(`must be a number from ${from} to ${to}`)
      return value
    },
  }
}

export function oneOf<const Name extends string>(names: readonly Name[]): Kind<Name> {
  return {
    label: names.join(' \\| '),
    read(text) {
      const found = names.find((name) => name === text)
      if (found === undefined) throw new Error(`must be one of ${names.join(', ')}`)
      return found
    },
  }
}

const YES = new Set(['true', '1', 'yes', 'on'])
const NO = new Set(['false', '0', 'no', 'off'])

export const yesOrNo: Kind<boolean> = {
  label: 'true \\| false',
  read(text) {
    const word = text.toLowerCase()
    if (!YES.has(word) && !NO.has(word)) throw new Error('must be true or false')
    return YES.has(word)
  },
}

/** An http(s) address without user, password, query or fragment; given back without a trailing slash. */
export const webAddress: Kind<string> = {
  label: 'http(s) address',
  read(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || !/^https?:$/.test(url.protocol)) throw new Error('must be an address that begins with http:// or https://')
    if (url.username || url.password) throw new Error('must not hold a user name or password')
    return text.replace(/\/+$/, '')
  },
}

/** Origins (scheme, host, port) separated by commas; none is an empty list. */
export const webOrigins: Kind<readonly string[]> = {
  label: 'origins, comma-separated',
  read(text) {
    const parts = text.split(',').map((part) => part.trim())
    return parts
      .filter((part) => part !== '' && part !== 'none')
      .map((part) => {
        const { origin, pathname } = new URL(webAddress.read(part))
        if (pathname !== '/') throw new Error(`must be origins without a path, but one is ${part}`)
        return origin
      })
  },
}

export const databaseAddress: Kind<string> = {
  label: 'postgres:// address',
  read(text) {
    // The text may hold a password and is therefore never repeated in the message.
    if (!URL.canParse(text) || !/^postgres(ql)?:$/.test(new URL(text).protocol)) {
      throw new Error('must be an address like postgres://user:password@host:5432/database')
    }
    return text
  },
}

export const namedAddresses: Kind<Readonly<Record<string, string>>> = {
  label: 'JSON: name -> address',
  read(text) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw new Error('must be JSON like {"name":"https://host/entry/"}')
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a JSON object')
    for (const [name, address] of Object.entries(value)) {
      const local = typeof address === 'string' && address.startsWith('/') && !address.startsWith('//')
      if (local) continue
      if (typeof address !== 'string' || !URL.canParse(address) || !/^https?:/.test(address)) {
        throw new Error(`must give "${name}" an http(s) address or a path of this origin`)
      }
    }
    return value as Record<string, string>
  },
}

export const timeZone: Kind<string> = {
  label: 'IANA time zone',
  read(text) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: text })
      return text
    } catch {
      throw new Error('must be a time zone like Asia/Shanghai')
    }
  },
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time span in milliseconds: `36h`, `-2d`, `0`. */
export const duration: Kind<number> = {
  label: 'span like 36h or -2d',
  read(text) {
    const parts = /^([+-]?\d{1,6})([smhd]?)$/.exec(text)
    const unit = UNITS[parts?.[2] ?? '']
    if (!parts || (unit === undefined && Number(parts[1]) !== 0)) throw new Error('must be a span like 36h, -2d or 0')
    return Number(parts[1]) * (unit ?? 0)
  },
}

export const moment: Kind<Date> = {
  label: 'date or ISO time',
  read(text) {
    const value = new Date(text)
    if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(value.getTime()))
      throw new Error('must be a date like 2026-01-31 or 2026-01-31T08:00:00Z')
    return value
  },
}

/** Fastify's `trustProxy`: not at all, wholly, or these addresses. */
export const proxies: Kind<boolean | string> = {
  label: 'true \\| false \\| addresses',
  read(text) {
    const word = text.toLowerCase()
    if (YES.has(word)) return true
    if (NO.has(word)) return false
    if (!/^[0-9a-f.:/,\s]+$/.test(word)) throw new Error('must be true, false, or addresses like 10.0.0.0/8,127.0.0.1')
    return text
  },
}

/** Where a server of ours listens; `off`: nowhere. */
export const listenAddress: Kind<{ host: string; port: number } | null> = {
  label: 'host:port \\| off',
  read(text) {
    if (text.toLowerCase() === 'off') return null
    const found = /^(?:\[([0-9a-fA-F:]+)\]|([^\s:/]+)):(\d{1,5})$/.exec(text)
    const port = Number(found?.[3])
    if (!found || port > 65_535) throw new Error('must be host:port, or off')
    return { host: (found[1] ?? found[2])!, port }
  },
}

/** Names or addresses of hosts, separated by commas. */
export const hostNames: Kind<readonly string[]> = {
  label: 'hosts, separated by commas',
  read: (text) => (text === 'none' ? [] : text.split(',').map((host) => host.trim().toLowerCase())),
}
