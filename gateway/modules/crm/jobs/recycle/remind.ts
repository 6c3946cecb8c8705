import { Growth, newId, type Executor } from '../../../../platform/database'
import { stageOf, type TellProgress } from '../../../../platform/jobs'
import { dayOf, instantAt } from '../../rules/companyDay'
import { batchesOf, inLanes } from '../inLanes'
import type { DueReminder } from './due'

/** Reminders of one short transaction. */
const BATCH = 5_000
const STAGE = { zh: '发送提醒', en: 'Sending reminders' }

/**
 * Reminds owners: one to-do a customer, day and deadline; an earlier one that is open becomes the new one. Saying it again
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
  const growth = new Growth(db, 'sys_todo')
  const fresh = await inLanes(batchesOf(reminders, BATCH), async (some) => {
    const { renewed, added } = await remindSome(db, some, now, timeZone)
    await growth.add(added)
    told(some.length)
    return renewed + added
  })
  return fresh.reduce((sum, count) => sum + count, 0)
}

/**
 * What was said before, by its key, is left. Who has an open reminder of an earlier day gets the new one in its place (one row is
 * changed instead of one ended and one added); further open ones of the customer, of somebody who owned it before, are dropped.
 */
const REMIND = `
  with wanted as materialized (
    select r.todo, c.id, c.owner_id, 'recycleSoon/' || c.id || '/' || r.recycle_on || '/' || r.days as key,
      left(c.name || '（' || c.code || '）将于 ' || r.days || ' 天后（' || r.recycle_on || '）回收到公海，请尽快跟进。', 300) as zh,
      left(c.name || ' (' || c.code || ') goes to the open sea in ' || r.days || case r.days when 1 then ' day (' else ' days (' end || r.recycle_on || '). Follow it up.', 300) as en
    from unnest($1::text[], $2::text[], $3::date[], $4::int[]) as r(todo, id, recycle_on, days) join crm_customer c on c.id = r.id
    where c.holding = 'private' and c.owner_id is not null),
  fresh as materialized (
    select * from wanted w where not exists (select from sys_todo t where t.unique_key = w.key and t.deleted_at is null)),
  earlier as materialized (
    select t.id, t.subject_id, row_number() over (partition by t.subject_id order by t.staff_id = f.owner_id desc, t.created_at desc, t.id) as place
    from fresh f join sys_todo t on t.subject_entity = 'crm.customer' and t.subject_id = f.id
    where t.kind = 'recycleSoon' and t.status = 'open' and t.deleted_at is null),
  renewed as (
    update sys_todo t set staff_id = f.owner_id, title_zh = f.zh, title_en = f.en, due_at = $5, unique_key = f.key,
      created_at = $6, updated_at = $6, version = t.version + 1
    from earlier e join fresh f on f.id = e.subject_id where t.id = e.id and e.place = 1 returning t.id),
  dropped as (
    update sys_todo t set status = 'dropped', done_at = $6, updated_at = $6, version = t.version + 1
    from earlier e where t.id = e.id and e.place > 1 returning t.id),
  added as (
    insert into sys_todo (id, staff_id, kind, title_zh, title_en, subject_entity, subject_id, link, due_at, unique_key, status, created_at, updated_at, version)
    select f.todo, f.owner_id, 'recycleSoon', f.zh, f.en, 'crm.customer', f.id, '/crm/client-partner/my-client/details?id=' || f.id, $5, f.key, 'open', $6, $6, 1
    from fresh f where not exists (select from earlier e where e.subject_id = f.id)
    on conflict do nothing returning id)
  select (select count(*) from renewed) as renewed, (select count(*) from added) as added`

async function remindSome(
  db: Executor,
  reminders: readonly DueReminder[],
  now: Date,
  timeZone: string,
): Promise<{ renewed: number; added: number }> {
  const { rows } = await db.query<{ renewed: number; added: number }>(REMIND, [
    reminders.map(() => newId()),
    reminders.map(({ id }) => id),
    reminders.map(({ recycleOn }) => recycleOn),
    reminders.map(({ days }) => days),
    instantAt(dayOf(now, timeZone), '18:00', timeZone).toISOString(),
    now.toISOString(),
  ])
  return rows[0] ?? { renewed: 0, added: 0 }
}
