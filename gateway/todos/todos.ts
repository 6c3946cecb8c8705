import { sql } from 'drizzle-orm'
import { newId, type Executor } from '../platform/database'
import { cut, plainOf, send, type Notice } from './messages'

const BATCH = 2_000

/**
 * Tells people, inside the caller's transaction: a message to each, and a to-do where something is to be done. Of what has a known
 * key nothing happens; what has no receiver is left out. Answers how many to-dos were new.
 */
export async function notify(db: Executor, notices: readonly Notice[], now: Date): Promise<number> {
  await send(db, notices, now)
  return remind(db, notices, now)
}

/** Writes the to-dos of notices, without any message. */
export async function remind(db: Executor, todos: readonly Notice[], now: Date): Promise<number> {
  let told = 0
  const wanted = todos.filter(({ staffId, todo = true }) => staffId !== '' && todo)
  for (let start = 0; start < wanted.length; start += BATCH) {
    const rows = wanted.slice(start, start + BATCH).map((todo) => ({
      id: newId(),
      staff_id: todo.staffId,
      kind: todo.kind,
      title_zh: cut(todo.title.zh),
      title_en: cut(todo.title.en),
      plain: plainOf(todo),
      subject_entity: todo.subject?.entity ?? null,
      subject_id: todo.subject?.id ?? null,
      link: todo.link ?? null,
      due_at: new Date(todo.dueAt ?? now).toISOString(),
      unique_key: todo.key,
      while_state: todo.whileState ?? null,
    }))
    const { rowCount } = await db.query(
      `insert into sys_todo (id, staff_id, kind, title_zh, title_en, plain, subject_entity, subject_id, link, due_at, unique_key, while_state, status, created_at, updated_at, version)
       select r.id, r.staff_id, r.kind, r.title_zh, r.title_en, r.plain, r.subject_entity, r.subject_id, r.link, r.due_at, r.unique_key, r.while_state, 'open', $2, $2, 1
       from jsonb_to_recordset($1::jsonb) as r(id text, staff_id text, kind text, title_zh text, title_en text, plain jsonb, subject_entity text, subject_id text, link text, due_at timestamptz, unique_key text, while_state text)
       on conflict do nothing`,
      [JSON.stringify(rows), now.toISOString()],
    )
    told += rowCount
  }
  return told
}

/**
 * Open to-dos of the same kind about the same subjects give way to these: one of them becomes the new one in its place, the further
 * ones, of people whose matter it is no more, are dropped. What was told before, by its key, changes nothing.
 */
export async function giveWay(db: Executor, todos: readonly Notice[], now: Date): Promise<void> {
  const rows = todos.map(({ staffId, kind, title, plain, subject, link, dueAt, whileState, key }) => ({
    staff_id: staffId,
    kind,
    title_zh: cut(title.zh),
    title_en: cut(title.en),
    plain: plainOf({ ...(plain === undefined ? {} : { plain }) }),
    subject_entity: subject?.entity ?? null,
    subject_id: subject?.id ?? null,
    link: link ?? null,
    due_at: new Date(dueAt ?? now).toISOString(),
    unique_key: key,
    while_state: whileState ?? null,
  }))
  await db.query(
    `with fresh as materialized (
       select distinct on (r.subject_entity, r.subject_id, r.kind) r.*
       from jsonb_to_recordset($1::jsonb) as r(staff_id text, kind text, title_zh text, title_en text, plain jsonb, subject_entity text, subject_id text, link text, due_at timestamptz, unique_key text, while_state text)
       where not exists (select from sys_todo t where t.unique_key = r.unique_key and t.deleted_at is null)),
     earlier as materialized (
       select t.id, f.unique_key, row_number() over (partition by f.unique_key order by t.staff_id = f.staff_id desc, t.created_at desc, t.id) as rank
       from fresh f join sys_todo t on t.subject_entity = f.subject_entity and t.subject_id = f.subject_id and t.kind = f.kind
       where t.status = 'open' and t.deleted_at is null),
     renewed as (
       update sys_todo t set staff_id = f.staff_id, title_zh = f.title_zh, title_en = f.title_en, plain = f.plain, link = f.link, due_at = f.due_at, unique_key = f.unique_key,
         while_state = f.while_state, created_at = $2, updated_at = $2, version = t.version + 1
       from earlier e join fresh f on f.unique_key = e.unique_key where t.id = e.id and e.rank = 1)
     update sys_todo t set status = 'dropped', done_at = $2, updated_at = $2, version = t.version + 1
     from earlier e where t.id = e.id and e.rank > 1`,
    [JSON.stringify(rows), now.toISOString()],
  )
}

/**
 * Closes the open to-dos about a subject: `done` when somebody did it, `dropped` when the matter is gone (an owner lost the
 * customer). `kinds` and `staffId` narrow which. Answers how many.
 */
export async function closeTodos(
  db: Executor,
  subject: { entity: string; ids: readonly string[] },
  how: { as: 'done' | 'dropped'; now: Date; kinds?: readonly string[] | undefined; staffId?: string },
): Promise<number> {
  const { rowCount } = await db.query(
    `update sys_todo set status = $3, done_at = $4, updated_at = $4, version = version + 1
     where subject_entity = $1 and subject_id = any($2::text[]) and status = 'open' and deleted_at is null
       and ($5::text[] is null or kind = any($5::text[])) and ($6::text is null or staff_id = $6)`,
    [subject.entity, subject.ids, how.as, how.now.toISOString(), how.kinds ?? null, how.staffId ?? null],
  )
  return rowCount
}

/** Closes the to-dos of subjects that left the state in which they mattered: done where somebody saw to it, and for whoever acted; else dropped. */
export async function closeTodosByState(
  db: Executor,
  entity: string,
  moved: readonly { id: string; state: string; done: boolean }[],
  by: { staffId: string; now: Date },
): Promise<void> {
  await db.query(
    `update sys_todo t set status = case when m.done or t.staff_id = $4 then 'done' else 'dropped' end, done_at = $5, updated_at = $5, version = t.version + 1
     from unnest($2::text[], $3::text[], $6::boolean[]) as m(id, state, done)
     where t.subject_entity = $1 and t.subject_id = m.id and t.while_state <> m.state and t.status = 'open' and t.deleted_at is null`,
    [
      entity,
      moved.map(({ id }) => id),
      moved.map(({ state }) => state),
      by.staffId,
      by.now.toISOString(),
      moved.map(({ done }) => done),
    ],
  )
}

/** Closes the open to-dos that people have about subjects. Answers how many. */
export async function closeOwnTodos(
  db: Executor,
  entity: string,
  own: readonly { id: string; staffId: string }[],
  how: { as: 'done' | 'dropped'; now: Date; kinds?: readonly string[] | undefined },
): Promise<number> {
  const { rowCount } = await db.query(
    `update sys_todo t set status = $5, done_at = $4, updated_at = $4, version = t.version + 1
     from unnest($2::text[], $3::text[]) as o(id, staff_id)
     where t.subject_entity = $1 and t.subject_id = o.id and t.staff_id = o.staff_id and t.status = 'open' and t.deleted_at is null
       and ($6::text[] is null or t.kind = any($6::text[]))`,
    [entity, own.map(({ id }) => id), own.map(({ staffId }) => staffId), how.now.toISOString(), how.as, how.kinds ?? null],
  )
  return rowCount
}

/** Messages and open to-dos about a record that goes are about the one that stays; a to-do that stands there already is not asked for twice. */
export async function moveTodos(
  db: Executor,
  { entity, from, to, now }: { entity: string; from: string; to: string; now: Date },
): Promise<void> {
  const open = sql`subject_entity = ${entity} and subject_id = ${from} and status = 'open' and deleted_at is null`
  const at = now.toISOString()
  await db.query(
    sql`update sys_todo t set subject_id = ${to}, link = replace(t.link, ${from}, ${to}), unique_key = replace(t.unique_key, ${from}, ${to}), updated_at = ${at}, version = t.version + 1
     where ${open} and not exists (select from sys_todo o where o.unique_key = replace(t.unique_key, ${from}, ${to}) and o.deleted_at is null)`,
  )
  await db.query(
    sql`update sys_todo set status = 'dropped', done_at = ${at}, updated_at = ${at}, version = version + 1 where ${open}`,
  )
  await db.query(
    sql`update sys_message set subject_id = ${to}, link = replace(link, ${from}, ${to}), updated_at = ${at} where subject_entity = ${entity} and subject_id = ${from}`,
  )
}
