import { sql } from 'drizzle-orm'
import { tableOf, type EntityEngine, type EntityRecord } from '../../../entities'
import type { Executor } from '../../../platform/database'
import type { RequestContext } from '../../../platform/http'

const CONTACT = 'crm.contact'

interface Contact {
  customerId: string
  name: string
  phone: string | null
  email: string | null
}

/** Whom to call about a bill: the customer's contact who receives bills, else the main one; of what the caller may read of contacts. */
export async function billContacts(
  engine: EntityEngine,
  records: readonly EntityRecord[],
  { db, context }: { db: Executor; context: RequestContext },
): Promise<void> {
  const customers = [...new Set(records.flatMap(({ customerId }) => (typeof customerId === 'string' ? [customerId] : [])))]
  if (customers.length === 0 || !engine.names().includes(CONTACT)) return
  const { rows } = await db.query<Contact>(
    sql`select distinct on (customer_id) customer_id as "customerId", name, coalesce(mobile, phone) as phone, email from ${sql.raw(tableOf(CONTACT))}
      where customer_id = any(${sql.param(customers)}::text[]) and deleted_at is null and left_at is null
      order by customer_id, receives_bill desc nulls last, is_primary desc nulls last, created_at, id`,
  )
  const readable = (field: string): boolean => engine.readable(context, `${CONTACT}.${field}`)
  const [named, called, written] = [readable('name'), readable('mobile') && readable('phone'), readable('email')]
  const byCustomer = new Map(rows.map((contact) => [contact.customerId, contact]))
  for (const record of records) {
    const contact = byCustomer.get(String(record.customerId))
    record.billContact = (named && contact?.name) || null
    record.billPhone = (called && contact?.phone) || null
    record.billEmail = (written && contact?.email) || null
  }
}
