import type { EntityEngine, EntityRecord, EntityService } from '../../../entities'
import type { Executor } from '../../../platform/database'
import type { Text } from '../../../platform/http'
import { monthsOf } from '../jobs/months'
import { classAFigures, computedLevel, type ClassAFigures } from '../rules/classA'
import { addDays, dayOf } from '../rules/companyDay'
import { monthStart } from '../rules/months'
import { ruleFor, rulesFor } from '../../../rules'

/** The figures of a customer with each threshold, and the level that they give by themselves. */
interface Figures extends ClassAFigures {
  level: string
}

/** Why nobody may apply for a customer now, whatever its figures are; null = nothing stands in the way. */
interface ClassABars {
  /** Another application waits. */
  pending: Text | null
  /** The last one was rejected not long ago. */
  retry: Text | null
  /** The owner has as many class A customers as he may. */
  quota: Text | null
}

const FREE: ClassABars = { pending: null, retry: null, quota: null }
const customerOf = ({ customerId }: EntityRecord): string => String(customerId ?? '')

/** What applications for class A ask of their customers (CRM section 3; fields of the approvals guide 8.12). */
export function registerClassA(engine: EntityEngine): void {
  engine.registerFunction('crm.classFigures', async ({ db, now }, asked) => {
    const figures = await figuresOf(db, now, asked.map(customerOf))
    return asked.map((one) => figures.get(customerOf(one)))
  })
  engine.registerFunction('crm.classBars', async ({ db, now }, asked) => {
    const { rows } = await db.query<Owned>(`select id, owner_id as "ownerId" from crm_customer where id = any($1::text[])`, [
      asked.map(customerOf),
    ])
    const bars = await barsOf(db, rows, now)
    return asked.map((one) => bars.get(customerOf(one)) ?? FREE)
  })
}

/** Fills in what the figures of one application would be today. */
export const classApplyService: EntityService<'crm.classApply'> = {
  async computeFields(records, { db, now }) {
    const [record] = records
    if (records.length !== 1 || !record) return
    const figures = (await figuresOf(db, now, [customerOf(record)])).get(customerOf(record))
    Object.assign(record, {
      todayRevenue90: figures?.revenue90,
      todayPoints: figures?.points,
      todayThresholds: figures?.thresholds,
    })
  },
}

async function figuresOf(db: Executor, now: Date, ids: readonly string[]): Promise<ReadonlyMap<string, Figures>> {
  const today = dayOf(now, db.companyTimeZone)
  const rules = { classA: await ruleFor(db, 'crm.classA', now), level: await ruleFor(db, 'crm.level', now) }
  const months = await monthsOf(db, monthStart(today, 12), ids)
  return new Map(
    ids.map((id) => {
      const own = months.get(id) ?? []
      return [id, { ...classAFigures(own, today, rules), level: computedLevel(own, today, rules.level) }]
    }),
  )
}

interface Owned {
  id: string
  ownerId: string | null
}

/** What bars applications for customers, by customer. */
async function barsOf(db: Executor, customers: readonly Owned[], now: Date): Promise<ReadonlyMap<string, ClassABars>> {
  const owners = [...new Set(customers.map(({ ownerId }) => ownerId ?? ''))]
  const asked = owners.map((staffId) => ({ staffId }))
  const rules = await rulesFor(db, 'crm.classA', now, asked)
  const { rows: known } = await db.query<{ customerId: string; code: string; status: string; at: string }>(
    `select customer_id as "customerId", code, status, updated_at as at from crm_class_apply
     where customer_id = any($1::text[]) and status in ('pending', 'rejected') and deleted_at is null order by updated_at`,
    [customers.map(({ id }) => id)],
  )
  const { rows: counts } = await db.query<{ ownerId: string; held: number }>(
    `select owner_id as "ownerId", count(*) as held from crm_customer
     where owner_id = any($1::text[]) and class_a and deleted_at is null group by owner_id`,
    [owners],
  )
  const today = dayOf(now, db.companyTimeZone)
  return new Map(
    customers.map(({ id, ownerId }) => {
      const { maxPerStaff, retryDays } = rules[owners.indexOf(ownerId ?? '')]!
      const held = Number(counts.find((count) => count.ownerId === ownerId)?.held ?? 0)
      const own = known.filter(({ customerId }) => customerId === id)
      const pending = own.find(({ status }) => status === 'pending')
      const rejected = own.findLast(({ status }) => status === 'rejected')
      const from = rejected && addDays(dayOf(rejected.at, db.companyTimeZone), retryDays)
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
          quota:
            held >= maxPerStaff
              ? {
                  zh: `A类名额已满（${held}/${maxPerStaff}）。`,
                  en: `The class A quota is full (${held}/${maxPerStaff}).`,
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
  const bars = await barsOf(
    db,
    own.map(({ id }) => ({ id: String(id), ownerId })),
    now,
  )
  for (const record of own) {
    const { pending, retry, quota } = bars.get(String(record.id)) ?? FREE
    record.classARefusedBecause = (pending ?? retry ?? quota)?.[locale] ?? null
  }
}
