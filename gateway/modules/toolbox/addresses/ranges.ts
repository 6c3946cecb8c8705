import ipaddr from 'ipaddr.js'
import { parse as parseDomain } from 'tldts'
import type { Text } from '../../../platform/http'

/** What can be said of an address or a range without asking anybody. */
export interface Range {
  kind: 'ipv4' | 'ipv6'
  /** In its short form; a range with its length. */
  text: string
  first: string
  last: string
  /** How many addresses. */
  size: bigint
  /** Name of the special range that all of it lies in; `unicast` is the public internet; `mixed` lies in several. */
  range: string
}

/** Reads an address or a range in CIDR notation; null when it is none. An IPv4 address inside IPv6 is read as itself. */
export function rangeOf(typed: string): Range | null {
  const [address = '', ...rest] = typed.split('/')
  if (rest.length > 1 || !(ipaddr.IPv6.isValid(address) || ipaddr.IPv4.isValidFourPartDecimal(address))) return null
  const read = ipaddr.process(address)
  const bits = read.kind() === 'ipv4' ? 32 : 128
  const [length] = rest
  if (length === undefined) {
    const text = read.toString()
    return { kind: read.kind(), text, first: text, last: text, size: 1n, range: read.range() }
  }
  if (!/^[0-9]{1,3}$/.test(length) || Number(length) > bits || ipaddr.parse(address).kind() !== read.kind()) return null
  const cidr = `${read.toString()}/${length}`
  const { IPv4, IPv6 } = ipaddr
  const [first, last] =
    read.kind() === 'ipv4'
      ? [IPv4.networkAddressFromCIDR(cidr), IPv4.broadcastAddressFromCIDR(cidr)]
      : [IPv6.networkAddressFromCIDR(cidr), IPv6.broadcastAddressFromCIDR(cidr)]
  return {
    kind: read.kind(),
    text: `${first.toString()}/${Number(length)}`,
    first: first.toString(),
    last: last.toString(),
    size: 2n ** BigInt(bits - Number(length)),
    range: first.range() === last.range() ? first.range() : 'mixed',
  }
}

/** A name that can stand in the DNS, in lower case; null for anything else. An address of a page gives its host. */
export function domainOf(typed: string): string | null {
  const { hostname, isIp, domain } = parseDomain(typed)
  return isIp || hostname === null || domain === null || !hostname.includes('.') ? null : hostname
}

const RANGES: Readonly<Record<string, Text>> = {
  unicast: { zh: '公网', en: 'Public' },
  private: { zh: '私有（RFC 1918）', en: 'Private (RFC 1918)' },
  uniqueLocal: { zh: '私有（RFC 4193）', en: 'Private (RFC 4193)' },
  carrierGradeNat: { zh: '运营商级 NAT（RFC 6598）', en: 'Carrier-grade NAT (RFC 6598)' },
  loopback: { zh: '本机回环', en: 'Loopback' },
  linkLocal: { zh: '链路本地', en: 'Link-local' },
  multicast: { zh: '组播', en: 'Multicast' },
  broadcast: { zh: '广播', en: 'Broadcast' },
  unspecified: { zh: '未指定', en: 'Unspecified' },
  reserved: { zh: '保留或文档示例', en: 'Reserved or for documentation' },
  benchmarking: { zh: '性能测试', en: 'Benchmarking' },
  '6to4': { zh: '6to4 过渡', en: '6to4' },
  teredo: { zh: 'Teredo 过渡', en: 'Teredo' },
  mixed: { zh: '跨越多种地址段', en: 'Lies in several kinds' },
}

/** What a special range is called. */
export const rangeName = (range: string): Text => RANGES[range] ?? { zh: `特殊用途（${range}）`, en: `Special use (${range})` }
