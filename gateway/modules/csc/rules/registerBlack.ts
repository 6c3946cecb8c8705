import { BlockList, isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { matchKeys } from '../../../duplicates'

/** Dictionary `blackKind`. */
export type BlackKind = 'email' | 'domain' | 'phone' | 'ip' | 'cidr' | 'company' | 'device'
export type BlackRefusal = 'form' | 'wide'
/** Prefixes that are wide enough: a shorter one would bar whole countries. */
const SHORTEST = { 4: 16, 6: 32 } as const

/**
 * A value of the registration blacklist in the form in which it is kept and compared (CSC section 7): mail and domain in lower case
 * and punycode, a phone number as E.164, a company by its match key, an address in its shortest form.
 * @returns the value, or why it is none: `wide` for a range shorter than /16 (IPv4) or /32 (IPv6)
 */
export function normalised(kind: BlackKind, typed: string): { value: string } | { refused: BlackRefusal } {
  const text = typed.trim()
  const value = FORMS[kind](text)
  if (value === 'wide') return { refused: 'wide' }
  return value === null || value === '' ? { refused: 'form' } : { value }
}

const domainOf = (text: string): string | null => {
  const ascii = domainToASCII(text.toLowerCase().replace(/^@/, ''))
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(ascii) ? ascii : null
}

/** An address as it is compared: IPv4 as it is, IPv6 in its short form. */
function addressOf(text: string): string | null {
  const version = isIP(text)
  if (version === 4) return text
  return version === 6 ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : null
}

function rangeOf(text: string): string | null {
  const [address = '', bits = ''] = text.split('/')
  const version = isIP(address)
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : NaN
  if ((version !== 4 && version !== 6) || !(prefix <= (version === 4 ? 32 : 128))) return null
  return prefix < SHORTEST[version] ? 'wide' : `${addressOf(address)}/${prefix}`
}

const FORMS: Readonly<Record<BlackKind, (text: string) => string | null>> = {
  email: (text) => {
    const [, name, domain] = /^([^\s@]+)@([^\s@]+)$/.exec(text) ?? []
    const host = domain === undefined ? null : domainOf(domain)
    return name === undefined || host === null ? null : `${name.toLowerCase()}@${host}`
  },
  domain: domainOf,
  phone: (text) => {
    const digits = text.replace(/[\s().-]/g, '').replace(/^00/, '+')
    return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null
  },
  ip: addressOf,
  cidr: rangeOf,
  company: (text) => matchKeys(text).nameKey,
  device: (text) => text.toLowerCase(),
}

/** Whether a text is a code of the dictionary `blackKind`. */
export const isBlackKind = (text: string): text is BlackKind => Object.hasOwn(FORMS, text)

/** What somebody registers with. */
export interface Registration {
  email?: string | null
  phone?: string | null
  company?: string | null
  ip?: string | null
  device?: string | null
}
export interface BlackEntry {
  id: string
  kind: string
  value: string
}

/** The values of a registration that a row of the list may hold, ranges apart. */
export function valuesOf({ email, phone, company, ip, device }: Registration): readonly { kind: BlackKind; value: string }[] {
  const found: { kind: BlackKind; value: string }[] = []
  const add = (kind: BlackKind, text: string | null | undefined): void => {
    const one = text ? normalised(kind, text) : null
    if (one && 'value' in one) found.push({ kind, value: one.value })
  }
  add('email', email)
  const parts = (email ?? '').split('@')[1]?.split('.') ?? []
  // a barred domain bars what lies below it
  for (let index = 0; index < parts.length - 1; index += 1) add('domain', parts.slice(index).join('.'))
  add('phone', phone)
  add('company', company)
  add('ip', ip)
  add('device', device)
  return found
}

/** The rows that refuse a registration, in their order. */
export function refusing(registration: Registration, entries: readonly BlackEntry[]): readonly BlackEntry[] {
  const values = new Set(valuesOf(registration).map(({ kind, value }) => `${kind}:${value}`))
  const address = registration.ip ? addressOf(registration.ip.trim()) : null
  return entries.filter(({ kind, value }) =>
    kind === 'cidr' ? address !== null && lies(address, value) : values.has(`${kind}:${value}`),
  )
}

function lies(address: string, range: string): boolean {
  const [base = '', bits] = range.split('/')
  const type = isIP(base) === 6 ? 'ipv6' : 'ipv4'
  if ((isIP(address) === 6 ? 'ipv6' : 'ipv4') !== type) return false
  const list = new BlockList()
  list.addSubnet(base, Number(bits), type)
  return list.check(address, type)
}
