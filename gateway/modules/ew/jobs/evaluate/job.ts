import { systemContext } from '../../../../platform/http'
import { stageOf } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'
import { escalate, raiseAlarms } from '../../alarms'
import { dueNow, keep, readNow } from '../../take'

/** Seconds between looks, and indicators of one run. */
const [LOOK, MOST] = [60, 100]

/** Measures the indicators that are due, asks their rules, escalates what nobody acknowledged (money 11.3). Twice changes nothing. */
export const job: ModuleJob = ({ engine, database, configuration }) => ({
  name: 'ew.evaluate',
  title: { zh: '预警评估', en: 'Early warning' },
  description: {
    zh: '到时间的配置指标取数，按规则告警、恢复和升级。',
    en: 'Measures configured indicators that are due, raises and ends alarms by their rules, and escalates them.',
  },
  schedule: { every: 'seconds', seconds: LOOK },
  waiting: async (now) => {
    const { rows } = await database.query<{ open: boolean }>(
      `select exists (select from ew_alarm a join ew_escalation e on e.rule_id = a.rule_id and e.deleted_at is null
         where a.status = 'firing' and a.deleted_at is null and a.first_at + e.after_min * interval '1 minute' <= $1
           and coalesce(a.escalated, 0) < (select count(*) from ew_escalation s where s.rule_id = a.rule_id and s.deleted_at is null and s.after_min <= e.after_min)) as open`,
      [now.toISOString()],
    )
    return rows[0]?.open === true || (await dueNow(database, now, 1)).length > 0
  },
  run: async ({ now, dry }, progress) => {
    const due = await dueNow(database, now, MOST)
    const told = stageOf(progress, { zh: '取数', en: 'Measuring' }, due.length)
    const figures = { series: 0, opened: 0, ended: 0, escalated: 0, failed: 0 }
    const rows: { indicator: string; series: number; opened: number; error: string | null }[] = []
    const timeZone = configuration.companyTimeZone
    for (const config of dry ? [] : due) {
      const reading = await readNow(engine, config, now, timeZone)
      await engine.transaction(systemContext({ now }), async (entities, tx) => {
        await tx.query("select pg_advisory_xact_lock(hashtext('ew.evaluate'))")
        const taken = await keep({ entities, tx, now, timeZone }, reading)
        const { opened, ended } =
          taken.error === undefined ? await raiseAlarms({ entities, tx, now, timeZone }, taken) : { opened: 0, ended: 0 }
        figures.series += taken.series.length
        figures.opened += opened
        figures.ended += ended
        figures.failed += taken.error === undefined ? 0 : 1
        rows.push({ indicator: config.name, series: taken.series.length, opened, error: taken.error ?? null })
      })
      told(1)
    }
    if (!dry)
      figures.escalated = await engine.transaction(systemContext({ now }), (entities, tx) =>
        escalate({ entities, tx, now, timeZone }),
      )
    return {
      figures: [
        { id: 'indicators', title: { zh: '指标', en: 'Indicators' }, value: due.length },
        { id: 'series', title: { zh: '序列', en: 'Series' }, value: figures.series },
        { id: 'opened', title: { zh: '新告警', en: 'New alarms' }, value: figures.opened },
        { id: 'ended', title: { zh: '恢复', en: 'Over' }, value: figures.ended },
        { id: 'escalated', title: { zh: '升级', en: 'Escalated' }, value: figures.escalated },
        { id: 'failed', title: { zh: '取数失败', en: 'Not measured' }, value: figures.failed },
      ],
      columns: [
        { id: 'indicator', title: { zh: '配置指标', en: 'Indicator' } },
        { id: 'series', title: { zh: '序列', en: 'Series' }, kind: 'number' },
        { id: 'opened', title: { zh: '新告警', en: 'New alarms' }, kind: 'number' },
        { id: 'error', title: { zh: '错误', en: 'Error' } },
      ],
      rows,
      more: 0,
    }
  },
})
