import { newId, type Executor } from '../../../../platform/database'
import { stageOf, type TellProgress } from '../../../../platform/jobs'
import { dayOf, instantAt } from '../../rules/companyDay'
import { batchesOf, inLanes } from '../inLanes'
import type { DueReminder } from './due'

/** Reminders of one short transaction. */
const BATCH = 5_000
const STAGE = { zh: '发送提醒', en: 'Sending reminders' }

/**
 * Reminds owners: one to-do a customer, day and deadline; an earlier one that is open gives way to the new one. Saying it again
 * changes nothing. Answers how many were new.
 */
export async function remind(
  db: Executor,
  reminders: readonly DueReminder[],
  now: Date,
  timeZone: string,
  tell: TellProgress,
): Promise<number> {
  const told = stageOf(tell, STAGE, reminders.length)
  const fresh = await inLanes(batchesOf(reminders, BATCH), async (some) => {
    const count = await remindSome(db, some, now, timeZone)
    told(some.length)
    return count
  })
  return fresh.reduce((sum, count) => sum + count, 0)
}

const remindSome = (db: Executor, reminders: readonly DueReminder[], now: Date, timeZone: string): Promise<number> =>
  db.transaction(async (tx) => {
    const ids = reminders.map(({ id }) => id)
    const { rows: fresh } = await tx.query<{ id: string }>(
      `insert into sys_todo (id, staff_id, kind, title_zh, title_en, subject_entity, subject_id, link, due_at, unique_key, status, created_at, updated_at, version)
       select r.todo, c.owner_id, 'recycleSoon',
         left(c.name || '（' || c.code || '）将于 ' || r.days || ' 天后（' || r.recycle_on || '）回收到公海，请尽快跟进。', 300),
         left(c.name || ' (' || c.code || ') goes to the open sea in ' || r.days || case r.days when 1 then ' day (' else ' days (' end || r.recycle_on || '). Follow it up.', 300),
         'crm.customer', c.id, '/crm/client-partner/my-client/details?id=' || c.id, $5, 'recycleSoon/' || c.id || '/' || r.recycle_on || '/' || r.days,
         'open', $6, $6, 1
       from unnest($1::text[], $2::text[], $3::date[], $4::int[]) as r(todo, id, recycle_on, days) join crm_customer c on c.id = r.id
       where c.holding = 'private' and c.owner_id is not null
       on conflict do nothing returning subject_id as id`,
      [
        ids.map(() => newId()),
        ids,
        reminders.map(({ recycleOn }) => recycleOn),
        reminders.map(({ days }) => days),
        instantAt(dayOf(now, timeZone), '18:00', timeZone).toISOString(),
        now.toISOString(),
      ],
    )
    if (fresh.length === 0) return 0
    await tx.query(
      `update sys_todo t set status = 'dropped', done_at = $2, updated_at = $2, version = t.version + 1
       where t.subject_entity = 'crm.customer' and t.subject_id = any($1::text[]) and t.kind = 'recycleSoon' and t.status = 'open'
         and t.deleted_at is null and t.created_at < $2`,
      [fresh.map(({ id }) => id), now.toISOString()],
    )
    return fresh.length
  })
