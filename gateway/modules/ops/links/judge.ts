import { isIP } from 'node:net'

export interface LinkGroup {
  id: string
  domain: string | null
  customerId: string | null
  minClicks: number
  action: string
}
export interface LinkWhite {
  id: string
  domain: string
  pathPrefix: string
  customerId: string | null
}
export interface Link {
  targetUrl: string
  customerId: string
  clicks: number
  redirects: readonly string[]
}
export interface Judgement {
  domain: string
  groupId: string | null
  whiteId: string | null
  /** Dictionary `linkRisk`. */
  risk: 'none' | 'low' | 'mid' | 'high'
  /** Dictionary `linkReason`. */
  riskReasons: string[]
}

const MOST_REDIRECTS = 5
const WEIGHT: Readonly<Record<string, number>> = {
  port: 1,
  noTls: 2,
  punycode: 2,
  redirects: 2,
  reviewGroup: 2,
  bareAddress: 3,
  userInfo: 3,
  blockGroup: 3,
  badAddress: 3,
}
const RISKS = ['none', 'low', 'mid', 'high'] as const

/** Whether a domain is the one that a rule names, or lies below it where the rule begins with `*.`. */
export const domainFits = (rule: string, domain: string): boolean =>
  rule.startsWith('*.') ? domain.endsWith(rule.slice(1)) : domain === rule

/** What the addresses of a link say of themselves, the end of its redirects before its target. */
function faultsOf({ targetUrl, redirects }: Link): { host: string; path: string; faults: string[] } {
  const last = redirects.at(-1) ?? targetUrl
  if (!URL.canParse(last)) return { host: '', path: '/', faults: ['badAddress'] }
  const { protocol, hostname, port, username, pathname } = new URL(last)
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  const faults = [
    ...(protocol === 'https:' ? [] : ['noTls']),
    ...(isIP(host) ? ['bareAddress'] : []),
    ...(host.split('.').some((part) => part.startsWith('xn--')) ? ['punycode'] : []),
    ...(username ? ['userInfo'] : []),
    ...(port ? ['port'] : []),
    ...(redirects.length > MOST_REDIRECTS ? ['redirects'] : []),
  ]
  return { host, path: pathname, faults }
}

/**
 * The group, the entry of the whitelist and the risk of a link. Groups come in the order of their priority, and the first that fits
 * counts; what is on the whitelist has no risk, whatever its address and group say.
 */
export function judgeLink(link: Link, groups: readonly LinkGroup[], whites: readonly LinkWhite[]): Judgement {
  const { host, path, faults } = faultsOf(link)
  const fits = (customerId: string | null): boolean => customerId === null || customerId === link.customerId
  const group = groups.find(
    ({ domain, customerId, minClicks }) =>
      (domain === null || domainFits(domain, host)) && fits(customerId) && link.clicks >= minClicks,
  )
  const white = whites.find(
    ({ domain, pathPrefix, customerId }) => domainFits(domain, host) && path.startsWith(pathPrefix) && fits(customerId),
  )
  const told = group?.action === 'block' ? ['blockGroup'] : group?.action === 'review' ? ['reviewGroup'] : []
  const riskReasons = white ? [] : [...faults, ...told]
  const weight = riskReasons.reduce((most, reason) => Math.max(most, WEIGHT[reason] ?? 0), 0)
  return { domain: host, groupId: group?.id ?? null, whiteId: white?.id ?? null, risk: RISKS[weight]!, riskReasons }
}
