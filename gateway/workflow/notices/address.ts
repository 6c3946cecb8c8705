import { lookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const PRIVATE: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]
const blocked = new BlockList()
for (const range of PRIVATE) blocked.addSubnet(...range)

/** Whether an IP address belongs to this machine or to a network of the company, which nobody may reach through a webhook. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped === undefined ? blocked.check(address, family === 4 ? 'ipv4' : 'ipv6') : isPrivateAddress(mapped)
}

/** A webhook that leads into a private network. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
}

const refused = (host: string): PrivateAddressError =>
  new PrivateAddressError(`${host} is an address of a private network; an operator allows those with NOTICE_PRIVATE_NETWORKS.`)

/** The name of a host that is written as an address of a private network; names are looked up when they are connected to. */
export function refusePrivateHost(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isPrivateAddress(host) || host === 'localhost' || host.endsWith('.localhost')) throw refused(url.hostname)
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
