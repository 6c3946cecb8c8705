import { tableOf, type EntityService } from '../../../entities'
import { newId, type Transaction } from '../../../platform/database'
import { logMail } from '../log'

/**
 * What becomes of the mailbox of somebody who leaves: whoever took over most of the customers whom it wrote with keeps it as a shared one, without them it is closed. He
 * himself is in no mailbox any more.
 */
export const leaverHook: EntityService = {
  afterEffect: async ({ transition, record, tx, entities, now }) => {
    if (transition.id !== 'leave') return
    const staffId = String(record.id)
    const at = now.toISOString()
    await tx.query('update mail_account_staff set deleted_at = $2 where staff_id = $1 and deleted_at is null', [staffId, at])
    await tx.query('update mail_follow_rule set enabled = false, updated_at = $2 where follow_staff_id = $1', [staffId, at])
    const { rows } = await tx.query<{ accountId: string; address: string; state: string }>(
      `select id as "accountId", address, state from mail_account where owner_id = $1 and kind = 'personal' and state <> 'unbound' and deleted_at is null`,
      [staffId],
    )
    for (const { accountId, address, state } of rows) {
      const successor = entities.has('crm.customer') ? await successorOf(tx, accountId, staffId) : null
      if (successor === null && state !== 'stopped') await entities.transition('mail.account', accountId, 'stop')
      if (successor !== null) {
        const shared = { kind: 'shared', ownerId: null }
        await entities.changeMany('mail.account', new Map([[accountId, shared]]), { reason: 'staffLeft' })
        await entities.insertMany('mail.accountStaff', [
          {
            id: newId(),
            accountId,
            staffId: successor,
            right: 'manage',
            isDefault: false,
            createdAt: at,
            createdBy: '',
            version: 1,
          },
        ])
      }
      const result = successor === null ? 'closed' : 'handed over'
      await logMail(tx, [{ accountId, action: 'moved', staffId: successor, peer: address, result }], now)
    }
  },
}

/** Who has most of the customers now whom a mailbox wrote with. */
async function successorOf(tx: Transaction, accountId: string, leaver: string): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `select c.owner_id as id from mail_message m join ${tableOf('crm.customer')} c on c.id = m.customer_id join ${tableOf('sys.staff')} s on s.id = c.owner_id and s.status <> 'left'
     where m.account_id = $1 and m.deleted_at is null and c.owner_id <> $2 group by 1 order by count(distinct c.id) desc, 1 limit 1`,
    [accountId, leaver],
  )
  return rows[0]?.id ?? null
}
