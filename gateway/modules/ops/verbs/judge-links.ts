import type { RecordOf } from '../../../entities'
import type { ModuleVerb } from '../../module'
import { judgeLink, type LinkGroup, type LinkWhite } from '../links/judge'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const named = (value: unknown): string | null => text(value) || null
const ON = [{ field: 'status', operator: 'eq' as const, value: 'enabled' }]

const groupOf = (row: RecordOf<'ops.shortLinkGroup'>): LinkGroup => ({
  id: text(row.id),
  domain: named(row.domain),
  customerId: named(row.customerId),
  minClicks: Number(row.minClicks ?? 0),
  action: text(row.action),
})
const whiteOf = (row: RecordOf<'ops.shortLinkWhite'>): LinkWhite => ({
  id: text(row.id),
  domain: text(row.domain),
  pathPrefix: text(row.pathPrefix) || '/',
  customerId: named(row.customerId),
})

/** `ops.judgeLinks`: domain, group, whitelist entry and risk of links, by the groups and entries that are on now. */
export const verb: ModuleVerb = async ({ entities, now }, runs) => {
  const groups = await entities.list('ops.shortLinkGroup', { where: ON, sort: [{ field: 'priority', order: 'asc' }] })
  const whites = await entities.list('ops.shortLinkWhite', { where: ON, limit: 10_000 })
  const [sorted, allowed] = [groups.map(groupOf), whites.map(whiteOf)]
  for (const { subject } of runs) {
    const { targetUrl, customerId, clicks, redirects } = subject.record
    const link = {
      targetUrl: text(targetUrl),
      customerId: text(customerId),
      clicks: Number(clicks ?? 0),
      redirects: Array.isArray(redirects) ? redirects.map(String) : [],
    }
    Object.assign(subject.record, judgeLink(link, sorted, allowed), { checkedAt: now.toISOString() })
  }
}
