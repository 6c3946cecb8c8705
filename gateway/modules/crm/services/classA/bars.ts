import type { EntityRecord } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import type { Text } from '../../../../platform/http'
import { addDays, dayOf } from '../../rules/companyDay'
import { ruleFor } from '../rules'

/** Why nobody may apply for a customer now, whatever its figures are; null = nothing stands in the way. */
export interface ClassABars {
  /** Another application waits. */
  pending: Text | null
  /** The last one was rejected not long ago. */
  retry: Text | null
  /** The owner has as many class A customers as he may. */
  quota: Text | null
}

/** What bars applications for customers of one owner, by customer. */
export async function classABars(
  db: Executor,
  { ids, ownerId, now }: { ids: readonly string[]; ownerId: string; now: Date },
): Promise<Map<string, ClassABars>> {
  const rules = await ruleFor(db, 'crm.classA', now, { staffId: ownerId })
  const { rows: known } = await db.query<{ customerId: string; code: string; status: string; at: string }>(
    `select customer_id as "customerId", code, status, updated_at as at from crm_class_apply
     where customer_id = any($1::text[]) and status in ('pending', 'rejected') and deleted_at is null order by updated_at`,
    [ids],
  )
  const { rows: owned } = await db.query<{ held: number }>(
    `select count(*) as held from crm_customer where owner_id = $1 and class_a and deleted_at is null`,
    [ownerId],
  )
  const held = Number(owned[0]?.held ?? 0)
  const full = held >= rules.maxPerStaff
  const today = dayOf(now, db.companyTimeZone)
  return new Map(
    ids.map((id) => {
      const own = known.filter(({ customerId }) => customerId === id)
      const pending = own.find(({ status }) => status === 'pending')
      const rejected = own.findLast(({ status }) => status === 'rejected')
      const from = rejected && addDays(dayOf(rejected.at, db.companyTimeZone), rules.retryDays)
      return [
        id,
        {
          pending: pending
            ? { zh: `已有审批中的申请 ${pending.code}。`, en: `Application ${pending.code} is pending already.` }
            : null,
          retry:
            from && from > today
              ? {
                  zh: `上次申请被驳回，${from} 起可再次申请。`,
                  en: `The last application was rejected; the next one is possible from ${from}.`,
                }
              : null,
          quota: full
            ? {
                zh: `A类名额已满（${held}/${rules.maxPerStaff}）。`,
                en: `The class A quota is full (${held}/${rules.maxPerStaff}).`,
              }
            : null,
        },
      ]
    }),
  )
}

/** Fills in, for customers of the caller's own, why class A cannot be applied for; the others have no such offer. */
export async function describeClassABars(
  records: readonly EntityRecord[],
  db: Executor,
  { ownerId, now, locale }: { ownerId: string; now: Date; locale: keyof Text },
): Promise<void> {
  const own = records.filter((record) => record.ownerId === ownerId && record.holding === 'private' && record.classA !== true)
  for (const record of records) record.classARefusedBecause = null
  if (ownerId === '' || own.length === 0) return
  const bars = await classABars(db, { ids: own.map(({ id }) => String(id)), ownerId, now })
  for (const record of own) {
    const { pending, retry, quota } = bars.get(String(record.id)) ?? { pending: null, retry: null, quota: null }
    record.classARefusedBecause = (pending ?? retry ?? quota)?.[locale] ?? null
  }
}
