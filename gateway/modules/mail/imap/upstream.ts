import type { ImapFlow } from 'imapflow'
import { newId, type Executor } from '../../../platform/database'
import type { Line, Queue } from '../../../platform/queue'
import { findAccount } from '../accounts'
import type { MailParts } from '../parts'
import { UPSTREAM_LINE } from '../send/outgoing'
import { overImap } from './connect'

/** A message of a server; one that is on its way to another folder has no number yet. */
interface Numbered {
  id: string
  uid: number | null
  messageId: string
}

/** What the portal changed in a folder of a server. */
export interface UpstreamChange {
  accountId: string
  path: string
  messages: Numbered[]
  add?: string[]
  remove?: string[]
  /** Path of the folder that they go to. */
  moveTo?: string
}

/** Sends on what was changed, when the transaction commits. */
export const sendUpstream = (db: Executor, queue: Queue, changes: readonly UpstreamChange[]): Promise<void> =>
  queue.send(
    db,
    UPSTREAM_LINE,
    changes.map((data) => ({ key: newId(), data })),
  )

/** Tells servers what the portal changed: flags, and messages that were moved. */
export const upstreamLine = (parts: MailParts): Line<UpstreamChange> => ({
  name: UPSTREAM_LINE,
  concurrency: 4,
  retry: { limit: 30, delaySeconds: 30 },
  handle: async ({ data: { accountId, path, messages, add = [], remove = [], moveTo } }) => {
    const { database } = parts
    const account = await findAccount(database, accountId)
    if (account?.transport !== 'imapSmtp' || account.state === 'unbound') return {}
    await overImap(parts, database, account, async (client) => {
      const lock = await client.getMailboxLock(path)
      try {
        const uids = await Promise.all(messages.map((message) => uidOf(client, message)))
        const range = uids.join(',')
        if (add.length > 0) await client.messageFlagsAdd(range, add, { uid: true })
        if (remove.length > 0) await client.messageFlagsRemove(range, remove, { uid: true })
        if (moveTo === undefined) return
        const moved = await client.messageMove(range, moveTo, { uid: true })
        if (moved === false || !moved.uidMap || moved.uidValidity === undefined) return
        const { uidMap, uidValidity } = moved
        const numbers = messages.map(({ id }, index) => ({ id, uid: uidMap.get(uids[index]!) ?? null }))
        await database.query(
          `update mail_message m set uid = r.uid, uid_validity = $2 from jsonb_to_recordset($1::jsonb) as r(id text, uid bigint), mail_folder f
           where m.id = r.id and m.uid is null and f.id = m.folder_id and f.path = $3`,
          [JSON.stringify(numbers), String(uidValidity), moveTo],
        )
      } finally {
        lock.release()
      }
    })
    return { did: true }
  },
})

/** The number of a message in the open folder. @throws Error while it is not there: it may be on its way */
async function uidOf(client: ImapFlow, { uid, messageId }: Numbered): Promise<number> {
  if (uid !== null) return uid
  const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
  if (!Array.isArray(found) || found[0] === undefined) throw new Error(`The message ${messageId} is not in this folder yet.`)
  return found[0]
}
