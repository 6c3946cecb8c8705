import type { Executor } from '../../../../platform/database'
import { settle, tell } from '../../../../todos'
import { dayOf, instantAt } from '../../rules/companyDay'
import type { DueReminder } from './due'

/** Reminds owners: one to-do a customer and day; the one of four days ago gives way to the new one. Answers how many were new. */
export async function remind(db: Executor, reminders: readonly DueReminder[], now: Date, timeZone: string): Promise<number> {
  if (reminders.length === 0) return 0
  const ids = reminders.map(({ id }) => id)
  const key = ({ id, recycleOn, days }: DueReminder): string => `recycleSoon/${id}/${recycleOn}/${days}`
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ key: string }>(
      `select unique_key as key from sys_todo where unique_key = any($1::text[]) and deleted_at is null`,
      [reminders.map(key)],
    )
    const known = new Set(rows.map((row) => row.key))
    const fresh = reminders.filter((reminder) => !known.has(key(reminder)))
    if (fresh.length === 0) return 0
    await settle(
      tx,
      { entity: 'crm.customer', ids: known.size === 0 ? ids : fresh.map(({ id }) => id) },
      {
        as: 'dropped',
        now,
        kinds: ['recycleSoon'],
      },
    )
    return tell(
      tx,
      fresh.map((reminder) => ({
        staffId: reminder.ownerId,
        kind: 'recycleSoon',
        title: {
          zh: `${reminder.name}（${reminder.code}）将于 ${reminder.days} 天后（${reminder.recycleOn}）回收到公海，请尽快跟进。`,
          en: `${reminder.name} (${reminder.code}) goes to the open sea in ${reminder.days} ${reminder.days === 1 ? 'day' : 'days'} (${reminder.recycleOn}). Follow it up.`,
        },
        subject: { entity: 'crm.customer', id: reminder.id },
        link: `/crm/client-partner/my-client/details?id=${encodeURIComponent(reminder.id)}`,
        dueAt: instantAt(dayOf(now, timeZone), '18:00', timeZone),
        key: key(reminder),
      })),
      now,
    )
  })
}
