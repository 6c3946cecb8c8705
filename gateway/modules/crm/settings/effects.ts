import type { EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'
import { MOST_ROWS, type JobReport } from '../../../platform/jobs'
import type { RuleTypes } from '../../../rules'

export interface EffectPlace {
  engine: EntityEngine
  database: Database
  timeZone: string
}

/** How many customers use each domain. */
export async function domainEffect(
  { domains }: RuleTypes['crm.domain'],
  { database }: Pick<EffectPlace, 'database'>,
): Promise<JobReport> {
  const names = domains.map(({ domain }) => domain)
  const { rows } = await database.query<{ domain: string; customers: number }>(
    `select d.domain, count(c.id) as customers from unnest($1::text[]) as d(domain)
     left join crm_customer c on c.domains ? d.domain and c.deleted_at is null group by d.domain order by customers desc, d.domain`,
    [names],
  )
  return {
    figures: [{ id: 'domains', title: { zh: '域名', en: 'Domains' }, value: names.length }],
    columns: [
      { id: 'domain', title: { zh: '域名', en: 'Domain' } },
      { id: 'customers', title: { zh: '使用的客户', en: 'Customers that use it' }, kind: 'number' },
    ],
    rows: rows.slice(0, MOST_ROWS).map(({ domain, customers }) => ({ id: domain, domain, customers: Number(customers) })),
    more: Math.max(0, rows.length - MOST_ROWS),
  }
}
