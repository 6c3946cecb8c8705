import { lookup, promises, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The part of IPv6 that the internet is made of so far; whatever lies elsewhere leads nowhere, or inside. */
const GLOBAL = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an IP address may belong to this machine or to a network of the company, which nobody may reach through an address that somebody typed: everything that is not plainly of the
 * public internet. Addresses that carry another one (6to4, Teredo, NAT64, an IPv4 address behind zeros) are none of it, because they end where that one does.
 */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const read = ipaddr.process(address)
  if (read.range() !== 'unicast') return true
  return read.kind() === 'ipv6' && !read.match(GLOBAL)
}

/** An address that leads into a private network. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
}

/** Which setting lets a connection lead inside: it is named to whom it refuses. */
type AllowedBy = 'NOTICE_PRIVATE_NETWORKS' | 'MAIL_PRIVATE_HOSTS'

const refused = (host: string, setting: AllowedBy = 'NOTICE_PRIVATE_NETWORKS'): PrivateAddressError =>
  new PrivateAddressError(`${host} is an address of a private network; an operator allows those with ${setting}.`)

const isInside = (host: string): boolean =>
  isPrivateAddress(host) || host.toLowerCase() === 'localhost' || host.toLowerCase().endsWith('.localhost')

/** The name of a host that is written as an address of a private network; names are looked up when they are connected to. */
export function refusePrivateHost(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isInside(host)) throw refused(url.hostname)
}

/**
 * The address to connect to for a host that somebody typed: what is checked is what is connected to. Hosts that the configuration allows may lie anywhere.
 * @throws PrivateAddressError for one inside; the error of the look-up where there is no such host
 */
export async function publicAddressOf(host: string, allowed: readonly string[], setting: AllowedBy): Promise<string> {
  if (allowed.includes(host.toLowerCase())) return isIP(host) === 0 ? (await promises.lookup(host)).address : host
  if (isInside(host)) throw refused(host, setting)
  const found = await promises.lookup(host, { all: true })
  const open = found.find(({ address }) => !isPrivateAddress(address))
  if (!open) throw refused(host, setting)
  return open.address
}

/** Looks a name up for a connection and refuses addresses of private networks: what is checked is what is connected to. */
export const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 4)
    const open = (found as LookupAddress[]).filter(({ address }) => !isPrivateAddress(address))
    const [first] = open
    if (!first) return callback(refused(host), '', 4)
    if (options.all) return callback(null, open)
    callback(null, first.address, first.family)
  })
}
