import { tableOf, type EntityEngine } from '../../../entities'
import type { Executor } from '../../../platform/database'
import type { ReadMail } from '../../../platform/mail'
import { domainOf } from '../../../../src/headless/mail'
import type { Party } from './parties'

/** A rule of a mailbox, as it is tried. */
export interface FollowRule {
  id: string
  match: string
  value: string | null
  followStaffId: string | null
  role: string | null
}

/** The rule that takes a mail, and who follows it up by that; null where none fits. */
export async function followerOf(
  engine: EntityEngine,
  db: Executor,
  accountId: string,
  mail: Pick<ReadMail, 'sender' | 'subject'>,
  party: Party,
): Promise<{ rule: FollowRule; staffId: string } | null> {
  const { rows: rules } = await db.query<FollowRule>(
    `select id, "match", value, follow_staff_id as "followStaffId", role from mail_follow_rule
     where account_id = $1 and enabled is not false and deleted_at is null order by "order", created_at`,
    [accountId],
  )
  if (rules.length === 0) return null
  const facts = await factsOf(engine, db, party)
  for (const rule of rules) {
    if (!fits(rule, mail, facts)) continue
    const staffId = rule.match === 'customerOwner' ? facts.ownerId : (rule.followStaffId ?? (await freest(db, rule.role)))
    if (staffId !== null) return { rule, staffId }
  }
  return null
}

interface Facts {
  ownerId: string | null
  country: string | null
}

function fits(
  { match, value }: FollowRule,
  { sender, subject }: Pick<ReadMail, 'sender' | 'subject'>,
  { ownerId, country }: Facts,
): boolean {
  const asked = (value ?? '').trim().toLowerCase()
  switch (match) {
    case 'sender':
      return sender.email.toLowerCase() === asked
    case 'senderDomain':
      return domainOf(sender.email) === asked
    case 'customerOwner':
      return ownerId !== null
    case 'country':
      return country !== null && country.toLowerCase() === asked
    case 'subjectWord':
      return asked !== '' && subject.toLowerCase().includes(asked)
    default:
      return match === 'all'
  }
}

/** Owner and country of the customer or supplier at this moment. */
async function factsOf(engine: EntityEngine, db: Executor, { customerId, supplierId }: Party): Promise<Facts> {
  const has = (entity: string): boolean => engine.names().includes(entity)
  const of = async (table: string, id: string | null): Promise<Facts | undefined> =>
    id === null
      ? undefined
      : (
          await db.query<Facts>(
            `select owner_id as "ownerId", country_code as country from ${table} where id = $1 and deleted_at is null`,
            [id],
          )
        ).rows[0]
  const customer = has('crm.customer') ? await of(tableOf('crm.customer'), customerId) : undefined
  const supplier = has('srm.supplier') ? await of(tableOf('srm.supplier'), supplierId) : undefined
  return customer ?? supplier ?? { ownerId: null, country: null }
}

/** Whoever of a role has the fewest mails to follow up. */
async function freest(db: Executor, role: string | null): Promise<string | null> {
  if (role === null || role === '') return null
  const { rows } = await db.query<{ id: string }>(
    `select s.id from ${tableOf('sys.staff')} s join ${tableOf('sys.roleMember')} m on m.staff_id = s.id and m.deleted_at is null
       join ${tableOf('sys.role')} r on r.id = m.role_id and r.deleted_at is null
     where r.code = $1 and s.status <> 'left' and s.deleted_at is null and (m."from" is null or m."from" <= now()) and (m.until is null or m.until > now())
     order by (select count(*) from mail_message w where w.follow_staff_id = s.id and w.follow_state in ('new', 'reading') and w.deleted_at is null), s.id limit 1`,
    [role],
  )
  return rows[0]?.id ?? null
}
