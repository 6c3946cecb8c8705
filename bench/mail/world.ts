import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, type Database } from '../../gateway/platform/database'
import { DEMO_PASSWORD } from '../../gateway/world'
import { gatewayOn } from '../../tests/e2e/support/realGateway'
import { PEOPLE } from '../../tests/e2e/support/realTest'
import { signIn, type Caller } from '../../tests/support/gateway'
import { letterOf } from './letters'

const logger = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }
export const MESSAGES = 100_000
const STEP = 2_000

/** The built gateway on the demo company, where one sales person has 100,000 letters more in the inbox. */
export interface MailWorld {
  url: string
  /** Where mail comes in by SMTP. */
  mailPort: number
  sales: Caller
  administrator: Caller
  /** The mailbox with 100,000 letters, and its address. */
  accountId: string
  address: string
  /** Seconds of processor that the gateway and the database took so far. */
  cpu(): { gateway: number; database: number }
  stop(): Promise<void>
}

/** Opens the world of a data folder; the first time makes it, which takes minutes. */
export async function openWorld(dataDir: string): Promise<MailWorld> {
  const environment = { DEMO_SCALE: '0.1', MAIL_PRIVATE_HOSTS: '127.0.0.1' }
  const first = await gatewayOn(dataDir, environment)
  await first.start()
  await first.end('SIGTERM')
  const database = await openDatabase({ dataDir, logger, poolSize: 2 })
  const { accountId, address } = await fill(database)
  await database.close()
  const gateway = await gatewayOn(dataDir, environment)
  await gateway.start()
  return {
    ...{ url: gateway.url, mailPort: gateway.mailPort, accountId, address },
    sales: await signIn(gateway.url, PEOPLE.sales, DEMO_PASSWORD),
    administrator: await signIn(gateway.url, PEOPLE.administrator, DEMO_PASSWORD),
    cpu: () => ({ gateway: gateway.cpu() / 1_000, database: databaseCpu(dataDir) }),
    stop: () => gateway.end('SIGTERM'),
  }
}

/** Seconds of processor of the server of a data folder, with its processes that ended. */
function databaseCpu(dataDir: string): number {
  const [postmaster = ''] = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
    try {
      const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
      const fields = after.split(' ')
      if (fields[1] !== postmaster && pid !== postmaster) continue
      ticks += Number(fields[11]) + Number(fields[12]) + (pid === postmaster ? Number(fields[13]) + Number(fields[14]) : 0)
    } catch {
      // it ended while it was looked at
    }
  }
  return ticks / 100
}

/** What was taken since `before`, in words. */
export function since(before: { gateway: number; database: number }, now: { gateway: number; database: number }): string {
  const of = (name: 'gateway' | 'database'): string => `${name} ${(now[name] - before[name]).toFixed(1)}`
  return `processor ${of('gateway')}, ${of('database')} s`
}

async function fill(database: Database): Promise<{ accountId: string; address: string }> {
  const { rows } = await database.query<{ accountId: string; address: string; folderId: string; total: number }>(
    `select a.id as "accountId", a.address, f.id as "folderId", (select count(*)::int from mail_message m where m.folder_id = f.id) as total from mail_account a
       join sys_staff s on s.id = a.owner_id join mail_folder f on f.account_id = a.id and f.role = 'inbox'
     where s.job_number = $1 and a.transport = 'local' and a.deleted_at is null limit 1`,
    [PEOPLE.sales],
  )
  const [box] = rows
  if (!box) throw new Error('The sales person of the demo company has no mailbox.')
  // what a run before bound is gone with its servers
  await database.query(
    `update mail_account set state = 'unbound', deleted_at = now() where transport = 'imapSmtp' and deleted_at is null`,
  )
  if (box.total >= MESSAGES) return box
  console.log(`filling ${MESSAGES.toLocaleString('en')} letters ...`)
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = 'mail_message' and indexname <> 'mail_message_pkey'`,
  )
  for (const { name } of indexes) await database.query(`drop index "${name}"`)
  const now = Date.now()
  for (let from = 0; from < MESSAGES; from += STEP) {
    const letters = Array.from({ length: STEP }, (_, at) => {
      const number = from + at
      const { messageId, subject, sender, text, age, seen } = letterOf(number)
      return {
        ...{
          id: `bench${String(number).padStart(7, '0')}`,
          message_id: messageId,
          subject,
          sender_email: sender.email,
          sender_name: sender.name,
        },
        ...{
          text,
          seen,
          thread: `bt${number - (number % 3)}`,
          at: new Date(now - age * 1_000).toISOString(),
          starred: number % 50 === 0,
        },
        search: [subject, `${sender.name} ${sender.email}`, ` ${box.address}`, '', text].join('\n'),
      }
    })
    await database.query(
      `insert into mail_message (id, created_at, updated_at, version, account_id, folder_id, message_id, message_id_made, "references", thread_id, thread_subject, direction, email_type, receive_time, sent_time,
         subject, sender_email, sender_name, reply_to_list, receiver_email_list, cc_email_list, bcc_email_list, preview_text, text_body, html_version, html_cut, search_text, attachments, has_attachment,
         seen, starred, answered, forwarded, marks, warnings, follow_state, size, body_state, bounced, auto_submitted)
       select r.id, r.at, r.at, 1, $2, $3, r.message_id, false, '[]', r.thread, lower(r.subject), 'in', '2', r.at, r.at, r.subject, r.sender_email, r.sender_name, '[]', jsonb_build_array(jsonb_build_object('email', $4::text)), '[]', '[]',
         left(r.text, 200), r.text, 1, false, r.search, '[]', false, r.seen, r.starred, false, false, '[]', '[]', 'new', length(r.text), 'whole', false, false
       from jsonb_to_recordset($1::jsonb) as r(id text, message_id text, subject text, sender_email text, sender_name text, text text, seen boolean, starred boolean, thread text, at timestamptz, search text)`,
      [JSON.stringify(letters), box.accountId, box.folderId, box.address],
    )
  }
  for (const { definition } of indexes) await database.query(definition)
  await database.query(
    `update mail_folder f set total = c.total, unread = c.unread from (select count(*) as total, count(*) filter (where not seen) as unread from mail_message where folder_id = $1) c where f.id = $1`,
    [box.folderId],
  )
  await database.query('vacuum analyze mail_message')
  return box
}
