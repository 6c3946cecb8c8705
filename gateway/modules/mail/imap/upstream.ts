import type { Executor } from '../../../platform/database'
import { newId } from '../../../platform/database'
import type { Line, Queue } from '../../../platform/queue'
import { findAccount } from '../accounts'
import type { MailParts } from '../parts'
import { UPSTREAM_LINE } from '../send/outgoing'
import { overImap } from './connect'

/** What the portal changed in a folder of a server. */
export interface UpstreamChange {
  accountId: string
  path: string
  uids: number[]
  add?: string[]
  remove?: string[]
  /** Path of the folder that they go to. */
  moveTo?: string
}

/** Sends on what was changed, when the transaction commits. */
export async function sendUpstream(db: Executor, queue: Queue, changes: readonly UpstreamChange[]): Promise<void> {
  await queue.send(
    db,
    UPSTREAM_LINE,
    changes.filter(({ uids }) => uids.length > 0).map((data) => ({ key: newId(), data })),
  )
}

/** Tells servers what the portal changed: flags, and messages that were moved. */
export const upstreamLine = (parts: MailParts): Line<UpstreamChange> => ({
  name: UPSTREAM_LINE,
  concurrency: 4,
  retry: { limit: 30, delaySeconds: 30, backoff: true },
  handle: async ({ data: { accountId, path, uids, add = [], remove = [], moveTo } }) => {
    const { database } = parts
    const account = await findAccount(database, accountId)
    if (account?.transport !== 'imapSmtp' || account.state === 'unbound') return {}
    await overImap(parts, database, account, async (client) => {
      const lock = await client.getMailboxLock(path)
      try {
        const range = uids.join(',')
        if (add.length > 0) await client.messageFlagsAdd(range, add, { uid: true })
        if (remove.length > 0) await client.messageFlagsRemove(range, remove, { uid: true })
        if (moveTo === undefined) return
        const moved = await client.messageMove(range, moveTo, { uid: true })
        const map = moved === false ? [] : [...(moved.uidMap ?? [])]
        if (moved !== false && moved.uidValidity !== undefined && map.length > 0)
          await database.query(
            `update mail_message m set uid = r.uid, uid_validity = $3 from jsonb_to_recordset($2::jsonb) as r(old bigint, uid bigint)
             where m.account_id = $1 and m.uid = r.old and m.folder_id = (select id from mail_folder where account_id = $1 and path = $4 and deleted_at is null)`,
            [accountId, JSON.stringify(map.map(([old, uid]) => ({ old, uid }))), String(moved.uidValidity), moveTo],
          )
      } finally {
        lock.release()
      }
    })
    return { did: true }
  },
})
