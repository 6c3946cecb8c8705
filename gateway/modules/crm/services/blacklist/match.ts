import type { Executor } from '../../../../platform/database'
import { similarity } from '../../../../duplicates'
import { ruleFor } from '../../../../rules'

/** Mail domains that prove no identity, or that several customers share. */
export async function sharedDomains(db: Executor, now: Date): Promise<readonly string[]> {
  return (await ruleFor(db, 'crm.domain', now)).domains.map(({ domain }) => domain)
}

/** What a customer or contact is known by; every text in the form in which it is stored. */
export interface BlacklistIdentity {
  nameKey?: string
  regNos?: readonly string[]
  domains?: readonly string[]
  emails?: readonly string[]
  phones?: readonly string[]
}

export type BlacklistRule = 'regNo' | 'nameKey' | 'domain' | 'email' | 'phone' | 'similar'

export interface BlacklistMatch {
  id: string
  code: string
  reason: string
  scope: string
  rule: BlacklistRule
  /** What met the entry. */
  value: string
}

export interface BlacklistEntry {
  id: string
  code: string
  reason: string
  scope: string
  nameKey: string
  domains: string[] | null
  emails: string[] | null
  phones: string[] | null
  regNos: string[] | null
}

/** A phone number without blanks, brackets and dashes, as entries keep it. */
export const plainPhone = (phone: string): string => phone.replace(/[\s()-]/g, '')

const common = (wanted: readonly string[] | undefined, barred: readonly string[] | null): string | undefined =>
  wanted?.find((one) => barred?.includes(one))

/** The first rule by which an entry is met: registration number, name, domain, mail, phone, then a similar name. Pure. */
export function matchOf(
  identity: BlacklistIdentity,
  entry: Omit<BlacklistEntry, 'id' | 'code' | 'reason' | 'scope'>,
  similarWarn: number,
): { rule: BlacklistRule; value: string } | null {
  const regNo = common(identity.regNos, entry.regNos)
  if (regNo !== undefined) return { rule: 'regNo', value: regNo }
  const name = identity.nameKey ?? ''
  if (name !== '' && name === entry.nameKey) return { rule: 'nameKey', value: name }
  const domain = common(identity.domains, entry.domains)
  if (domain !== undefined) return { rule: 'domain', value: domain }
  const email = common(identity.emails, entry.emails)
  if (email !== undefined) return { rule: 'email', value: email }
  const phone = common(identity.phones, entry.phones)
  if (phone !== undefined) return { rule: 'phone', value: phone }
  return name !== '' && entry.nameKey !== '' && similarity(name, entry.nameKey) >= similarWarn
    ? { rule: 'similar', value: name }
    : null
}

const ORDER: readonly BlacklistRule[] = ['regNo', 'nameKey', 'domain', 'email', 'phone', 'similar']

/** Free-mail domains prove nothing. */
export const withoutFreeMail = (
  identity: BlacklistIdentity,
  freeMailDomains: readonly string[],
): BlacklistIdentity & { domains: string[] } => ({
  ...identity,
  domains: (identity.domains ?? []).filter((domain) => !freeMailDomains.includes(domain)),
})

/** Entries that hold at the moment $1. */
export const ENTRIES = `select id, code, reason, scope, coalesce(name_key, '') as "nameKey", domains, emails, phones, reg_nos as "regNos"
     from crm_blacklist where status = 'active' and deleted_at is null and (expires_at is null or expires_at > $1)`

/** Entries that an identity meets, the surest first. */
export function matchesAmong(
  entries: readonly BlacklistEntry[],
  identity: BlacklistIdentity,
  similarWarn: number,
): BlacklistMatch[] {
  return entries
    .flatMap((entry) => {
      const match = matchOf(identity, entry, similarWarn)
      const { id, code, reason, scope } = entry
      return match ? [{ id, code, reason, scope, ...match }] : []
    })
    .sort((a, b) => ORDER.indexOf(a.rule) - ORDER.indexOf(b.rule))
}

/**
 * Customers that entries would meet now, at most 50 each: they are not frozen by themselves (CRM rule 9.6, last line). One statement
 * for all entries.
 */
export async function matchedCustomers(
  db: Executor,
  entries: readonly Pick<BlacklistEntry, 'nameKey' | 'domains' | 'emails' | 'phones' | 'regNos'>[],
): Promise<string[][]> {
  const asked = entries.map(({ nameKey, ...lists }, index) => ({
    ...{ index, name_key: nameKey, reg_nos: lists.regNos ?? [], domains: lists.domains ?? [] },
    ...{ emails: lists.emails ?? [], phones: lists.phones ?? [] },
  }))
  // each part finds its rows in an index of its own, which one condition with "or" could not
  const { rows } = await db.query<{ index: number; id: string }>(
    `select e.index, found.id
     from jsonb_to_recordset($1::jsonb) as e(index int, name_key text, reg_nos text[], domains text[], emails text[], phones text[]),
       lateral (select id from crm_customer where deleted_at is null and id in (
         select id from crm_customer where deleted_at is null and name_key <> '' and name_key = e.name_key
         union all select id from crm_customer where deleted_at is null and reg_no = any(e.reg_nos)
         union all select id from crm_customer where deleted_at is null and tax_no = any(e.reg_nos)
         union all select id from crm_customer where deleted_at is null and domains ?| e.domains
         union all select customer_id from crm_contact where deleted_at is null and email = any(e.emails)
         union all select customer_id from crm_contact where deleted_at is null and phone = any(e.phones)
         union all select customer_id from crm_contact where deleted_at is null and mobile = any(e.phones))
       limit 50) found`,
    [JSON.stringify(asked)],
  )
  return entries.map((_, index) => rows.filter((row) => Number(row.index) === index).map(({ id }) => id))
}
