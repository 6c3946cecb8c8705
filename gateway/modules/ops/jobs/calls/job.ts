import { systemContext } from '../../../../platform/http'
import type { ModuleJob } from '../../../module'
import { roomOf } from './pace'
import { opsSettings } from '../../configuration'

/** Seconds between looks. */
const LOOK = 5

/** Places the calls of group call tasks that run, as many at once and a second as each allows, within the hours of its callees. */
export const job: ModuleJob = ({ engine, database, configuration }) => {
  const connected = configuration.of(opsSettings).sipAddress !== undefined
  return {
    name: 'ops.calls',
    title: { zh: '群呼', en: 'Group calls' },
    description: {
      zh: '每 5 秒按并发、每秒呼叫数和被叫当地时段拨打运行中的群呼任务；未配置 SIP_ADDRESS 时不执行。',
      en: 'Every 5 seconds places calls of the running group call tasks by their limits and the local hours of the callees; without SIP_ADDRESS it does nothing.',
    },
    schedule: { every: 'seconds', seconds: LOOK },
    waiting: async () => {
      if (!connected) return false
      const { rows } = await database.query(
        `select 1 from ops_group_call_task t where t.status = 'running' and t.deleted_at is null
          and exists (select 1 from ops_talk_history c where c.group_task_id = t.id and c.status = 'queued' and c.deleted_at is null) limit 1`,
      )
      return rows.length > 0
    },
    run: async ({ now, dry }) => {
      let placed = 0
      if (connected && !dry)
        placed = await engine.transaction(systemContext({ now }), async (entities) => {
          let count = 0
          for (const task of await entities.list('ops.groupCallTask', {
            where: [{ field: 'status', operator: 'eq', value: 'running' }],
          })) {
            const of = [{ field: 'groupTaskId', operator: 'eq' as const, value: task.id }]
            const dialing = await entities.count('ops.talkHistory', [
              ...of,
              { field: 'status', operator: 'eq', value: 'dialing' },
            ])
            const pace = {
              ...{ concurrency: Number(task.concurrency), cps: Number(task.cps), timeZone: task.timeZone },
              ...{ callFrom: Number(task.callFrom), callUntil: Number(task.callUntil) },
            }
            const room = roomOf(pace, now, dialing, LOOK)
            if (room === 0) continue
            const queued = await entities.list('ops.talkHistory', {
              where: [...of, { field: 'status', operator: 'eq', value: 'queued' }],
              sort: [{ field: 'createdAt', order: 'asc' }],
              limit: room,
            })
            await entities.transitions(
              'ops.talkHistory',
              queued.map(({ id }) => id),
              'dial',
            )
            count += queued.length
          }
          return count
        })
      return {
        figures: [{ id: 'placed', title: { zh: '发起呼叫', en: 'Calls placed' }, value: placed }],
        columns: [],
        rows: [],
        more: 0,
      }
    },
  }
}
