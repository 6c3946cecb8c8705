import { sql, type SQL } from 'drizzle-orm'
import type { Executor } from '../../../../platform/database'

/** Row scopes of the caller, each over its own table under the alias t; null: he may not see any of it. */
export interface MarketScopes {
  clues: SQL | null
  customers: SQL
}

/**
 * Clues, customers and their first traffic by source and country. Clues and customers count by their own creation; dealt ones and
 * those with traffic are of the customers counted.
 */
export async function marketReport(db: Executor, { clues, customers }: MarketScopes): Promise<Record<string, object[]>> {
  const clueSet = clues
    ? sql`select t.source, t.country_code, t.status ${clues}`
    : sql`select null::text as source, null::text as country_code, null::text as status where false`
  const chosen = sql`with clue as materialized (${clueSet}),
    customer as materialized (select t.source, t.country_code, t.first_deal_at, t.last_traffic_at ${customers})`
  const counts = sql`count(*)::int as customers, count(*) filter (where c.first_deal_at is not null)::int as dealt, count(*) filter (where c.last_traffic_at is not null)::int as "withTraffic"`
  const clueCounts = sql`count(*)::int as clues, count(*) filter (where l.status = 'converted')::int as converted, count(*) filter (where l.status = 'invalid')::int as invalid`
  const read = async (statement: SQL): Promise<object[]> => (await db.query(statement)).rows
  return {
    totals: await read(
      sql`${chosen} select a.*, b.* from (select ${clueCounts} from clue l) a, (select ${counts} from customer c) b`,
    ),
    clueSources: await read(sql`${chosen} select l.source as "clueSource", ${clueCounts},
        round(100.0 * count(*) filter (where l.status = 'converted') / count(*), 2)::text as "conversion"
      from clue l group by 1 order by 2 desc, 1`),
    customerSources: await read(sql`${chosen} select c.source, ${counts} from customer c group by 1 order by 2 desc, 1`),
    countries:
      await read(sql`${chosen} select coalesce(l.country, c.country) as country, coalesce(l.clues, 0) as clues, coalesce(c.customers, 0) as customers,
        coalesce(c.dealt, 0) as dealt, coalesce(c."withTraffic", 0) as "withTraffic"
      from (select l.country_code as country, count(*)::int as clues from clue l group by 1) l
        full join (select c.country_code as country, ${counts} from customer c group by 1) c on c.country = l.country
      order by 3 desc, 2 desc, 1 limit 60`),
    costs: [],
  }
}
