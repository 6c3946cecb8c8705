import { systemContext } from '../../../../platform/http'
import {
  momentOf,
  MOST_ROWS,
  stageOf,
  type JobDefinition,
  type JobPlace,
  type JobReport,
  type TellProgress,
} from '../../../../platform/jobs'
import { paramsOf, ruleBook, ruleFor, type RuleTypes } from '../../../../rules'
import { batchesOf, inLanes } from '../inLanes'
import type { CrmJobParts } from '../parts'
import { dueCustomers, dueList, remindersDue } from './due'
import { holdingsOf } from '../../services/holdings'
import { refreshDeadlines, type RefreshPlace } from './refresh'
import { remind } from './remind'
import { recycleSome, type Recycled } from './take'

const TITLES = {
  taken: { zh: '回收到公海', en: 'Recycled to the sea' },
  left: { zh: '超出每晚上限，留到明晚', en: 'Over the nightly limit, left for the next night' },
  skipped: { zh: '复核后保留', en: 'Kept after the second look' },
  refreshed: { zh: '重算回收日', en: 'Recycling days renewed' },
  reminded: { zh: '发送提醒', en: 'Reminders sent' },
}

const STAGES = { taking: { zh: '回收到公海', en: 'Recycling to the sea' } }

/** Recycling to the open sea every night at 02:00 (CRM rule 9.2). */
export function recycleJob(parts: CrmJobParts): JobDefinition {
  return {
    name: 'crm.recycle',
    title: { zh: '公海回收', en: 'Recycling to the open sea' },
    description: {
      zh: '把超期未跟进或未成交的客户退回公海，并提前 7、3、1 天提醒负责人。',
      en: 'Returns customers without follow-up or deal to the open sea, and reminds owners 7, 3 and 1 days before.',
    },
    schedule: { every: 'day', at: '02:00' },
    run: (place, tell) => recycle(parts, place, tell),
  }
}

/** Customers of one short transaction: users go on meanwhile. */
const BATCH = 500

async function recycle(parts: CrmJobParts, job: JobPlace, tell: TellProgress): Promise<JobReport> {
  const { engine, database, timeZone } = parts
  const now = momentOf(job, timeZone)
  const book = await ruleBook(database, 'crm.sea', now)
  const rule = paramsOf('crm.sea', book)
  const place: RefreshPlace = {
    today: job.day,
    timeZone,
    holdings: holdingsOf((entity) => engine.names().includes(entity)),
    book,
  }
  return job.dry ? preview(parts, place, rule) : perform(parts, { ...place, ruleVersion: book.versionNo }, rule, job.now, tell)
}

/** What tonight would take, by the rule as it stands, without writing anything. */
async function preview({ database }: CrmJobParts, place: RefreshPlace, rule: RuleTypes['crm.sea']): Promise<JobReport> {
  const { due, total, reminded } = await dueCustomers(database, place, Math.min(rule.maxPerNight, MOST_ROWS), rule)
  const taken = Math.min(total, rule.maxPerNight)
  return reportOf(
    { taken, left: total - taken, reminded },
    due.map((customer) => ({ ...customer, outcome: 'due' })),
    taken,
  )
}

async function perform(
  { engine, database, timeZone }: CrmJobParts,
  { ruleVersion, ...place }: RefreshPlace & { ruleVersion: number },
  rule: RuleTypes['crm.sea'],
  now: Date,
  tell: TellProgress,
): Promise<JobReport> {
  const refreshed = await refreshDeadlines(database, place, tell)
  const { due, total } = await dueList(database, place.today, rule.maxPerNight)
  const reminders = await remindersDue(database, place.today, rule.remindDays)
  const rules = { claim: await ruleFor(database, 'crm.claim', now), coolDown: await ruleFor(database, 'crm.coolDown', now) }
  const places = new Map(due.slice(0, MOST_ROWS).map(({ id }, place) => [id, place]))
  // rows that lie beside each other in the table and in its indexes are changed together
  const near = due.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const told = stageOf(tell, STAGES.taking, due.length)
  const done = await inLanes(batchesOf(near, BATCH), async (some) => {
    const looked = await engine.transaction(
      systemContext({ now }),
      (entities, tx) => recycleSome({ entities, tx, now, timeZone, place, rules, ruleVersion }, some),
      // somebody may hold two of the customers in another order
      { retries: 3 },
    )
    told(some.length)
    return { taken: looked.filter(({ outcome }) => outcome === 'taken').length, shown: looked.filter(({ id }) => places.has(id)) }
  })
  const taken = done.reduce((sum, one) => sum + one.taken, 0)
  const shown = done.flatMap((one) => one.shown).toSorted((one, other) => places.get(one.id)! - places.get(other.id)!)
  const reminded = await remind(database, reminders, now, timeZone, tell)
  return reportOf({ taken, left: total - due.length, skipped: due.length - taken, refreshed, reminded }, shown, due.length)
}

function reportOf(figures: Partial<Record<keyof typeof TITLES, number>>, shown: readonly Recycled[], all: number): JobReport {
  const ids = (Object.keys(TITLES) as (keyof typeof TITLES)[]).filter((id) => figures[id] !== undefined)
  return {
    figures: ids.map((id) => ({ id, title: TITLES[id], value: figures[id] ?? 0 })),
    columns: [
      { id: 'customer', title: { zh: '客户', en: 'Customer' }, kind: 'customer' },
      { id: 'owner', title: { zh: '负责人', en: 'Owner' } },
      { id: 'recycleOn', title: { zh: '回收日', en: 'Recycle on' }, kind: 'day' },
      { id: 'reason', title: { zh: '原因', en: 'Reason' } },
      { id: 'outcome', title: { zh: '结果', en: 'Outcome' } },
    ],
    rows: shown.map(({ id, code, name, owner, recycleOn, reason, outcome }) => ({
      id,
      customer: `${name} (${code})`,
      owner,
      recycleOn,
      reason,
      outcome,
    })),
    more: Math.max(0, all - shown.length),
  }
}
