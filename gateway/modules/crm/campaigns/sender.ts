import { tableOf } from '../../../entities'
import { dayAt } from '../../../../src/schema/formats/days'
import type { Executor } from '../../../platform/database'
import type { Writer } from './letter'

/** The mailbox that a campaign is sent from, as far as campaigns ask. */
export interface Sender extends Writer {
  id: string
  address: string
  displayName: string
  transport: 'local' | 'imapSmtp'
  state: string
  dailyLimit: number
  sentToday: number
  sentOn: string | null
  timeZone: string
  /** The server takes mail for address+key: bounces come back to a key of their own. */
  plusAddress: boolean
}

/** Campaigns leave this part of the mails of a day to whoever works in the mailbox. */
export const LEFT_TO_PEOPLE = 0.2

/** A mailbox with the person who writes (`staffId`: the owner of the campaign); null where there is none. */
export async function senderOf(db: Executor, accountId: string, staffId: string | null): Promise<Sender | null> {
  const { rows } = await db.query<Sender>(
    `select a.id, a.address, a.display_name as "displayName", a.transport, a.state, coalesce(a.daily_limit, 500)::int as "dailyLimit", coalesce(a.sent_today, 0)::int as "sentToday",
       a.sent_on::text as "sentOn", coalesce(a.time_zone, 'Asia/Shanghai') as "timeZone", coalesce(a.plus_address, false) or a.transport = 'local' as "plusAddress",
       coalesce(s.name, a.display_name) as name, s.phone as mobile
     from ${tableOf('mail.account')} a left join ${tableOf('sys.staff')} s on s.id = $2 where a.id = $1 and a.deleted_at is null`,
    [accountId, staffId],
  )
  return rows[0] ?? null
}

/** Whether somebody may write from a mailbox. */
export async function mayWriteFrom(db: Executor, accountId: string, staffId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from ${tableOf('mail.accountStaff')} where account_id = $1 and staff_id = $2 and "right" in ('write', 'manage') and deleted_at is null`,
    [accountId, staffId],
  )
  return rowCount > 0
}

/** The mails that campaigns may send from a mailbox in a day. */
export const shareOfDay = ({ dailyLimit }: Pick<Sender, 'dailyLimit'>): number => Math.floor(dailyLimit * (1 - LEFT_TO_PEOPLE))

/** How many more mails campaigns may send from a mailbox today, those on their way taken off. */
export function roomToday(sender: Sender, onTheirWay: number, now: Date): number {
  const sent = sender.sentOn === dayAt(now, sender.timeZone) ? sender.sentToday : 0
  return Math.max(0, shareOfDay(sender) - sent - onTheirWay)
}
