import { domainOf } from '../../../../src/headless/mail'
import { tableOf, type EntityEngine } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { ruleFor } from '../../../rules'

/** With whom of the company's business a mail was exchanged. */
export interface Party {
  customerId: string | null
  supplierId: string | null
  contactId: string | null
}

const NOBODY: Party = { customerId: null, supplierId: null, contactId: null }

/**
 * The customer or supplier of each of these addresses: by the address of a contact, else by the domain, unless that proves nothing (free mail, shared ones).
 * Modules that are not there have none.
 */
export async function partiesOf(
  engine: EntityEngine,
  db: Executor,
  emails: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Party>> {
  const asked = [...new Set(emails.map((email) => email.toLowerCase()).filter((email) => email !== ''))]
  const found = new Map<string, Party>()
  const add = (email: string, party: Partial<Party>): void => {
    found.set(email, { ...(found.get(email) ?? NOBODY), ...party })
  }
  const has = (entity: string): boolean => engine.names().includes(entity)
  if (asked.length === 0) return found
  if (has('crm.contact')) {
    const { rows } = await db.query<{ email: string; id: string; customerId: string }>(
      `select distinct on (lower(c.email)) lower(c.email) as email, c.id, c.customer_id as "customerId" from ${tableOf('crm.contact')} c
       where lower(c.email) = any($1::text[]) and c.deleted_at is null order by lower(c.email), c.is_primary desc nulls last, c.created_at`,
      [asked],
    )
    for (const { email, id, customerId } of rows) add(email, { customerId, contactId: id })
  }
  if (has('srm.supplierContact')) {
    const { rows } = await db.query<{ email: string; id: string; supplierId: string }>(
      `select distinct on (lower(c.email)) lower(c.email) as email, c.id, c.supplier_id as "supplierId" from ${tableOf('srm.supplierContact')} c
       where lower(c.email) = any($1::text[]) and c.deleted_at is null order by lower(c.email), c.is_primary desc nulls last, c.created_at`,
      [asked],
    )
    for (const { email, id, supplierId } of rows) add(email, { supplierId, contactId: found.get(email)?.contactId ?? id })
  }
  if (has('crm.customer')) {
    const shared = new Set((await ruleFor(db, 'crm.domain', now)).domains.map(({ domain }) => domain))
    const open = asked.filter((email) => !found.has(email) && !shared.has(domainOf(email)))
    if (open.length > 0) {
      const { rows } = await db.query<{ domain: string; id: string }>(
        `select distinct on (d.domain) d.domain, c.id from ${tableOf('crm.customer')} c, jsonb_array_elements_text(c.domains) as d(domain)
         where c.domains ?| $1::text[] and d.domain = any($1::text[]) and c.deleted_at is null order by d.domain, c.created_at`,
        [[...new Set(open.map(domainOf))]],
      )
      for (const email of open) {
        const customer = rows.find(({ domain }) => domain === domainOf(email))
        if (customer) add(email, { customerId: customer.id })
      }
    }
  }
  return found
}

/** The first of some addresses that is of a customer or supplier. */
export const partyAmong = (parties: ReadonlyMap<string, Party>, emails: readonly string[]): Party =>
  emails.map((email) => parties.get(email.toLowerCase())).find((party) => party !== undefined) ?? NOBODY

/** Domains of customers that somebody's could imitate: they are about as long. */
export async function partyDomains(engine: EntityEngine, db: Executor, domain: string): Promise<string[]> {
  if (!engine.names().includes('crm.customer')) return []
  const { rows } = await db.query<{ domain: string }>(
    `select distinct d.domain from ${tableOf('crm.customer')} c, jsonb_array_elements_text(c.domains) as d(domain)
     where c.deleted_at is null and abs(length(d.domain) - $1::int) <= 2 limit 20000`,
    [domain.length],
  )
  return rows.map(({ domain }) => domain)
}
