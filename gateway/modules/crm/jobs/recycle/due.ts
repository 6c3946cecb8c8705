import type { EntityRecord } from '../../../../entities'
import type { Database } from '../../../../platform/database'
import type { Text } from '../../../../platform/http'
import type { Day } from '../../rules/companyDay'
import { withNotice } from '../../rules/recycling'
import { staffName } from '../../../../staff'
import { decideSome, type RecyclingPlace } from './recycleOn'

export interface DueCustomer {
  id: string
  code: string
  name: string
  ownerId: string
  owner: Text | null
  ownedAt: string
  recycleOn: Day
  reason: string | null
}

/** What a rule says now about a night: customers whose day has come by then, the earliest first. */
export async function dueCustomers(
  db: Database,
  place: RecyclingPlace & { today: Day },
  { by = place.today }: { by?: Day } = {},
): Promise<DueCustomer[]> {
  const due: DueCustomer[] = []
  const customers = db.stream<EntityRecord & Omit<DueCustomer, 'recycleOn' | 'reason'> & { recycleOn: Day | null }>(
    `select c.id, c.code, c.name, c.owner_id as "ownerId", ${staffName('s')} as owner, c.level, c.country_code as "countryCode", c.holding, c.stage, c.tags,
       c.owned_at as "ownedAt", c.last_follow_at as "lastFollowAt", c.first_deal_at as "firstDealAt", c.last_traffic_at as "lastTrafficAt",
       c.protect_until::text as "protectUntil", c.balance::text as balance, c.recycle_on::text as "recycleOn"
     from crm_customer c left join sys_staff s on s.id = c.owner_id where c.holding = 'private' and c.deleted_at is null`,
    [],
    { batchSize: 2_000 },
  )
  for await (const some of customers) {
    const decisions = await decideSome(db, place, some)
    for (const [index, { id, code, name, ownerId, owner, ownedAt, recycleOn: old }] of some.entries()) {
      const { recycleOn: decided, reason } = decisions[index]!
      const recycleOn = withNotice(decided, old, place.today)
      if (recycleOn !== null && recycleOn <= by) due.push({ id, code, name, ownerId, owner, ownedAt, recycleOn, reason })
    }
  }
  const order = ({ recycleOn, ownedAt, id }: DueCustomer): string => `${recycleOn} ${ownedAt} ${id}`
  return due.sort((one, other) => (order(one) < order(other) ? -1 : 1))
}
