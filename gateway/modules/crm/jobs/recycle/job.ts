import type { EntityEngine } from '../../../../entities'
import { systemContext } from '../../../../platform/http'
import type { Database } from '../../../../platform/database'
import { MOST_ROWS, type JobDefinition, type JobPlace, type JobReport } from '../../../../platform/jobs'
import { dayOf } from '../../rules/companyDay'
import { resolveRule } from '../../rules/resolve'
import { CRM_RULE_DEFAULTS } from '../../rules/ruleSets'
import { ruleBook } from '../../services/rules'
import { dueCustomers, remindersDue } from './due'
import { holdingsOf } from './holdings'
import { refreshDeadlines, type RefreshPlace } from './refresh'
import { remind } from './remind'
import { recycleOne, type Recycled } from './take'

export interface RecycleParts {
  engine: EntityEngine
  database: Database
  timeZone: string
}

const TITLES = {
  taken: { zh: '回收到公海', en: 'Recycled to the sea' },
  left: { zh: '超出每晚上限，留到明晚', en: 'Over the nightly limit, left for the next night' },
  skipped: { zh: '复核后保留', en: 'Kept after the second look' },
  refreshed: { zh: '重算回收日', en: 'Recycling days renewed' },
  reminded: { zh: '发送提醒', en: 'Reminders sent' },
}

/** Recycling to the open sea every night at 02:00 (CRM rule 9.2). */
export function recycleJob(parts: RecycleParts): JobDefinition {
  return {
    name: 'crm.recycle',
    title: { zh: '公海回收', en: 'Recycling to the open sea' },
    description: {
      zh: '把超期未跟进或未成交的客户退回公海，并提前 7、3、1 天提醒负责人。',
      en: 'Returns customers without follow-up or deal to the open sea, and reminds owners 7, 3 and 1 days before.',
    },
    schedule: { every: 'day', at: '02:00' },
    run: (place) => recycle(parts, place),
  }
}

async function recycle({ engine, database, timeZone }: RecycleParts, job: JobPlace): Promise<JobReport> {
  const now = job.day === dayOf(job.now, timeZone) ? job.now : new Date(`${job.day}T12:00:00Z`)
  const book = await ruleBook(database, 'crm.sea', now)
  const rule = resolveRule(CRM_RULE_DEFAULTS['crm.sea'], book.set, [], {})
  const place: RefreshPlace = { today: job.day, timeZone, holdings: holdingsOf(engine.names()), book }
  const refreshed = job.dry ? 0 : await refreshDeadlines(database, place)
  const { due, total } = await dueCustomers(database, place, rule.maxPerNight, job.dry)
  const reminders = await remindersDue(database, place, rule.remindDays, job.dry)
  const rows: Recycled[] = []
  const context = systemContext({ now: job.now })
  for (const customer of due) {
    if (job.dry) rows.push({ ...customer, outcome: 'due' })
    else
      rows.push(
        await engine.transaction(context, (entities, tx) =>
          recycleOne({ entities, tx, now: job.now, timeZone, place }, customer),
        ),
      )
  }
  const reminded = job.dry ? reminders.length : await remind(database, reminders, job.now, timeZone)
  const taken = rows.filter(({ outcome }) => outcome !== 'kept')
  const count = (id: keyof typeof TITLES, value: number) => ({ id, title: TITLES[id], value })
  return {
    figures: [
      count('taken', taken.length),
      count('left', total - due.length),
      ...(job.dry ? [] : [count('skipped', rows.length - taken.length), count('refreshed', refreshed)]),
      count('reminded', reminded),
    ],
    columns: [
      { id: 'customer', title: { zh: '客户', en: 'Customer' }, kind: 'customer' },
      { id: 'owner', title: { zh: '负责人', en: 'Owner' } },
      { id: 'recycleOn', title: { zh: '回收日', en: 'Recycle on' }, kind: 'day' },
      { id: 'reason', title: { zh: '原因', en: 'Reason' } },
      { id: 'outcome', title: { zh: '结果', en: 'Outcome' } },
    ],
    rows: rows.slice(0, MOST_ROWS).map(({ id, code, name, owner, recycleOn, reason, outcome }) => ({
      id,
      customer: `${name} (${code})`,
      owner,
      recycleOn,
      reason,
      outcome,
    })),
    more: Math.max(0, rows.length - MOST_ROWS),
  }
}
