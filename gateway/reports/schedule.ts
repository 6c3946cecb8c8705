import type { EntityEngine, EntityRecord } from '../entities'
import { dayOf, type Day } from '../platform/calendar'
import { ServiceError, systemContext, type Locale } from '../platform/http'
import type { TimedJob } from '../platform/jobs'
import type { SessionService } from '../platform/session'
import type { ReportTasks } from './file'
import { SAVED } from './routes'

interface ScheduleParts {
  engine: EntityEngine
  sessions: Pick<SessionService, 'contextOf'>
  downloads: ReportTasks
  timeZone: string
}

/** Schedules whose files are made on a day. */
const dueOn = (day: Day): readonly string[] => [
  'daily',
  ...(new Date(`${day}T00:00:00Z`).getUTCDay() === 1 ? ['weekly'] : []),
  ...(day.endsWith('-01') ? ['monthly'] : []),
]

/** Asks for a file in the owner's name; null, or why it is refused, in his language. */
async function askFor({ sessions, downloads }: ScheduleParts, record: EntityRecord): Promise<string | null> {
  const locale: Locale = record.language === 'en' ? 'en' : 'zh'
  try {
    const context = await sessions.contextOf(String(record.staffId), { locale, traceId: `report ${String(record.id)}` })
    if (!context) throw new ServiceError('noPermission')
    const request = { path: String(record.path), search: String(record.search ?? '') }
    await downloads.startReport(context, request, String(record.name))
    return null
  } catch (error) {
    // what keeps one report from its owner does not keep the others from theirs
    if (error instanceof ServiceError) return error.messageIn(locale)
    throw error
  }
}

/** Asks every morning for the files of saved reports, with the rights that their owners have on that morning. */
export const scheduledReports = (parts: ScheduleParts): TimedJob => ({
  name: 'sys.reports',
  title: { zh: '定时报表', en: 'Scheduled reports' },
  description: {
    zh: '每天早上为员工定时的报表生成文件，放入各自的下载中心；每周的在周一，每月的在1日。',
    en: 'Every morning the files of scheduled reports are made for the download centres of their owners, weekly ones every Monday, monthly ones on the first.',
  },
  schedule: { every: 'day', at: '07:00' },
  run: async ({ now, day, dry }) => {
    const system = systemContext({ now })
    const { engine, timeZone } = parts
    const due = await engine.transaction(system, async (entities) => {
      const where = [{ field: 'frequency', operator: 'in' as const, value: dueOn(day) }]
      return entities.list(SAVED, { where, limit: Math.max(1, await entities.count(SAVED, where)) })
    })
    const open = due.filter(({ madeAt }) => typeof madeAt !== 'string' || dayOf(new Date(madeAt), timeZone) < day)
    let failed = 0
    for (const record of dry ? [] : open) {
      const failure = await askFor(parts, record)
      if (failure !== null) failed += 1
      await engine.transaction(system, (entities) =>
        entities.save(SAVED, { id: record.id, failure, ...(failure === null ? { madeAt: now.toISOString() } : {}) }),
      )
    }
    return {
      figures: [
        { id: 'made', title: { zh: '生成', en: 'Asked for' }, value: dry ? open.length : open.length - failed },
        { id: 'failed', title: { zh: '失败', en: 'Refused' }, value: failed },
      ],
      columns: [],
      rows: [],
      more: 0,
    }
  },
})
