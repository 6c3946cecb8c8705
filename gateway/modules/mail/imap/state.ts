import type { Executor } from '../../../platform/database'

/** A message as the server numbers it. */
export interface ServerMessage {
  uid: number
  seen: boolean
  starred: boolean
  answered: boolean
  size: number
  messageId: string | null
}

type Flags = Pick<ServerMessage, 'uid' | 'seen' | 'starred' | 'answered'>

/** Flags that changed on the server, in one statement for all of them. Answers how many messages differ. */
export async function followFlags(db: Executor, folderId: string, changed: readonly Flags[]): Promise<number> {
  if (changed.length === 0) return 0
  const { rowCount } = await db.query(
    `update mail_message m set seen = r.seen, starred = r.starred, answered = r.answered
     from jsonb_to_recordset($2::jsonb) as r(uid bigint, seen boolean, starred boolean, answered boolean)
     where m.folder_id = $1 and m.uid = r.uid and m.deleted_at is null
       and (m.seen is distinct from r.seen or m.starred is distinct from r.starred or m.answered is distinct from r.answered)`,
    [folderId, JSON.stringify(changed)],
  )
  return rowCount
}

/**
 * What the server has no more: gone, unless it was moved to another folder meanwhile, where it stays the same row with its follow-up and marks. Rows that the
 * server never numbered stay: they are on their way there. Answers how many are gone from the folder.
 */
export async function expunge(
  db: Executor,
  accountId: string,
  folderId: string,
  uids: readonly number[],
  now: Date,
): Promise<number> {
  const { rows } = await db.query<{ id: string; twin: string | null }>(
    `select g.id, (select t.id from mail_message t where t.account_id = $1 and t.folder_id <> $2 and t.message_id = g.message_id and t.size = g.size
         and t.created_at > g.created_at and t.deleted_at is null order by t.created_at desc limit 1) as twin
     from mail_message g where g.account_id = $1 and g.folder_id = $2 and g.uid is not null and g.deleted_at is null and g.uid <> all($3::bigint[])`,
    [accountId, folderId, [...uids]],
  )
  const gone = rows.filter(({ twin }) => twin === null).map(({ id }) => id)
  await db.query('update mail_message set deleted_at = $2 where id = any($1::text[])', [gone, now.toISOString()])
  for (const { id, twin } of rows)
    if (twin !== null) {
      const { rows: places } = await db.query<{ folderId: string; uid: number; uidValidity: string }>(
        `delete from mail_message where id = $1 returning folder_id as "folderId", uid, uid_validity as "uidValidity"`,
        [twin],
      )
      const [place] = places
      if (place)
        await db.query(
          `update mail_message set folder_id = $2, uid = $3, uid_validity = $4, email_type = case when (select role from mail_folder where id = $2) = 'junk' then '3' when direction = 'out' then '1' else '2' end, snoozed_until = null where id = $1`,
          [id, place.folderId, place.uid, place.uidValidity],
        )
    }
  return rows.length
}

/**
 * Finds the rows of a folder again that the server numbered anew, each by its Message-ID and size; what is left over is gone. Answers the number from which on
 * everything is new.
 */
export async function matchAgain(
  db: Executor,
  accountId: string,
  folderId: string,
  uidValidity: string,
  all: readonly ServerMessage[],
  now: Date,
): Promise<number> {
  const { rows } = await db.query<{ id: string; messageId: string | null; size: number }>(
    `select id, case when message_id_made then null else message_id end as "messageId", size::int as size from mail_message where account_id = $1 and folder_id = $2 and deleted_at is null order by uid nulls last, id`,
    [accountId, folderId],
  )
  const waiting = new Map<string, string[]>()
  for (const { id, messageId, size } of rows) {
    const key = `${messageId ?? ''} ${size}`
    waiting.set(key, [...(waiting.get(key) ?? []), id])
  }
  const matched = all.flatMap(({ messageId, size, ...flags }) => {
    const id = waiting.get(`${messageId ?? ''} ${size}`)?.shift()
    return id === undefined ? [] : [{ ...flags, id }]
  })
  const found = new Set(matched.map(({ id }) => id))
  await db.query(
    `update mail_message m set uid = r.uid, uid_validity = $2, seen = r.seen, starred = r.starred, answered = r.answered
     from jsonb_to_recordset($1::jsonb) as r(id text, uid bigint, seen boolean, starred boolean, answered boolean) where m.id = r.id`,
    [JSON.stringify(matched), uidValidity],
  )
  await db.query('update mail_message set deleted_at = $2 where id = any($1::text[])', [
    rows.filter(({ id }) => !found.has(id)).map(({ id }) => id),
    now.toISOString(),
  ])
  const known = new Set(matched.map(({ uid }) => uid))
  const unknown = all.map(({ uid }) => uid).filter((uid) => !known.has(uid))
  return unknown.length === 0 ? Math.max(0, ...all.map(({ uid }) => uid)) + 1 : Math.min(...unknown)
}
