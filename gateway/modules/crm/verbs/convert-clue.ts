import { sql } from 'drizzle-orm'
import { tableOf, thereIs, type RecordOf, type GivenOf } from '../../../entities'
import type { Executor } from '../../../platform/database'
import type { ModuleVerb } from '../../module'

/** `crm.convertClue`: each clue that is converted becomes a customer, checked like a typed one, with its contact and the history. */
export const verb: ModuleVerb<'csc.clue'> = async (hook, runs) => {
  const made: RecordOf<'crm.customer'>[] = []
  for (const { subject } of runs) made.push(await convert(hook, subject))
  return made
}

async function convert(
  { entities, tx, now, context }: Parameters<ModuleVerb<'csc.clue'>>[0],
  { record: clue, input }: Parameters<ModuleVerb<'csc.clue'>>[1][number]['subject'],
): Promise<RecordOf<'crm.customer'>> {
  const said = input as GivenOf<'crm.customer'> & { customerName: string; customerNameEn?: string | null }
  const customer = await entities.save(
    'crm.customer',
    {
      ...{ convertedFrom: clue.id, contact: { email: clue.email, mobile: clue.phone } },
      ownerId: clue.ownerId ?? context.user.staffId,
      ownedAt: now.toISOString(),
      name: said.customerName,
      nameEn: said.customerNameEn ?? null,
      partyType: 'customer',
      platform: clue.source === 'bukaSignup' ? 'buka' : 'main',
      tradeType: said.tradeType,
      customerType: said.customerType,
      countryCode: clue.countryCode,
      website: said.website ?? null,
      duplicateReason: said.duplicateReason ?? null,
      source: sourceOf(clue.source),
      products: clue.products ?? [],
      level: 'd',
      clueId: clue.id,
      promoterId: await promoterOf(tx, clue.promoterNo),
      remark: clue.need ?? null,
      followCount: clue.followCount ?? 0,
      lastFollowAt: clue.lastFollowAt ?? null,
      nextFollowAt: clue.nextFollowAt ?? null,
      stage: clue.lastFollowAt ? 'following' : 'potential',
    },
    { checked: true },
  )
  await entities.save('crm.contact', {
    customerId: customer.id,
    name: clue.contactName,
    email: clue.email ?? null,
    mobile: clue.phone ?? null,
    im: clue.im ?? null,
    role: 'business',
    isPrimary: true,
  })
  await tx.query(sql`update crm_follow_up set customer_id = ${customer.id} where clue_id = ${clue.id} and deleted_at is null`)
  return customer
}

/** The source that a customer has who came from a clue. */
function sourceOf(source: unknown): string {
  const same = ['website', 'bukaSignup', 'exhibition', 'referral', 'import', 'social']
  if (typeof source === 'string' && same.includes(source)) return source
  return source === 'promoter' ? 'referral' : 'website'
}

/** The active star promoter whose job number the promotion link carried; null for a member of staff who is none, or for nobody's number. */
async function promoterOf(tx: Executor, jobNumber: unknown): Promise<string | null> {
  if (typeof jobNumber !== 'string' || jobNumber === '' || !(await thereIs(tx, 'biz.starPromoter'))) return null
  const { rows } = await tx.query<{ id: string }>(
    sql`select id from ${sql.raw(tableOf('biz.starPromoter'))} where job_number = ${jobNumber} and status = 'on' and deleted_at is null`,
  )
  return rows[0]?.id ?? null
}
