import type { EntityRecord } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import { tell, type Todo } from '../../../../todos'
import { matchKeys } from '../../../../duplicates'
import { customerPage } from '../customerPage'
import { textsOf } from '../values'
import { matchedCustomers } from './match'

/** What an entry is matched by. */
export const identifiersOf = (entry: EntityRecord) => ({
  nameKey: matchKeys(String(entry.name ?? '')).nameKey,
  domains: textsOf(entry.domains),
  emails: textsOf(entry.emails),
  phones: textsOf(entry.phones),
  regNos: textsOf(entry.regNos),
})

interface Matched {
  id: string
  code: string
  name: string
  ownerId: string | null
  managerId: string | null
}

/**
 * Customers that a new entry meets are not frozen by themselves (CRM rule 9.6): the risk officers get one task for all of them,
 * owner and manager of each are told with the code, without the reason. The customer that the entry names is frozen already.
 */
export async function tellMatched(db: Executor, entry: EntityRecord, now: Date): Promise<void> {
  const ids = (await matchedCustomers(db, identifiersOf(entry))).filter((id) => id !== entry.customerId)
  if (ids.length === 0) return
  const { rows: customers } = await db.query<Matched>(
    `select c.id, c.code, c.name, o.id as "ownerId", coalesce(m.id, l.id) as "managerId"
     from crm_customer c left join sys_staff o on o.id = c.owner_id and o.status <> 'left'
       left join sys_staff m on m.id = o.manager_id and m.status <> 'left' and m.deleted_at is null
       left join sys_department d on d.id = c.owner_dept_id
       left join sys_staff l on l.id = d.leader_id and l.status <> 'left' and l.deleted_at is null
     where c.id = any($1::text[]) order by c.code`,
    [ids],
  )
  const { rows: officers } = await db.query<{ id: string }>(
    `select id from sys_staff where position = 'risk' and status = 'active' and deleted_at is null`,
  )
  const [id, code] = [String(entry.id), String(entry.code)]
  const forRisk = officers.map((officer): Todo => ({
    staffId: officer.id,
    kind: 'blacklistMatch',
    title: {
      zh: `${customers.length} 个现有客户命中新黑名单 ${code}，请逐个核实。`,
      en: `${customers.length} ${customers.length === 1 ? 'customer meets' : 'customers meet'} the new blacklist entry ${code}. Check each of them.`,
    },
    subject: { entity: 'crm.blacklist', id },
    link: `/crm/client-partner/blacklist/details?id=${encodeURIComponent(id)}`,
    key: `blacklistMatch/${id}/${officer.id}`,
  }))
  const forSales = customers.flatMap((customer) =>
    [...new Set([customer.ownerId, customer.managerId])].flatMap((staffId): Todo[] =>
      staffId === null
        ? []
        : [
            {
              staffId,
              kind: 'blacklistMatch',
              title: {
                zh: `${customer.name}（${customer.code}）命中黑名单 ${code}，风控正在核实。`,
                en: `${customer.name} (${customer.code}) meets the blacklist entry ${code}. The risk officers check it.`,
              },
              subject: { entity: 'crm.customer', id: customer.id },
              link: customerPage(customer.id),
              key: `blacklistMatch/${id}/${customer.id}/${staffId}`,
            },
          ],
    ),
  )
  await tell(db, [...forRisk, ...forSales], now)
}
