import { sql } from 'drizzle-orm'
import type { EntityEngine, EntityRecord, EntityService, MergeHook } from '../entities'
import { ServiceError } from '../platform/http'
import { logOwnership } from './log'
import { referenceColumn, tableOf, type Subject } from './subject'

/** What of a merge is about owners: what waits in transfers, who has shares, whose the records are afterwards, and who tells of it. */
export const mergingOf = (engine: EntityEngine, subject: Subject): Pick<EntityService, 'beforeMerge' | 'afterMerge'> => ({
  async beforeMerge(hook) {
    const { target, losers, values } = hook
    for (const record of [target, ...losers]) await refuseWhileTransferred(subject, hook, record)
    await endSecondShares(engine, subject, hook)
    await endStays(subject, hook)
    delete values.ownerId
    const keeper = keeperOf(hook)
    if (!keeper) return
    const { ownerId, ownerDeptId, ownedAt, gainedBy, protectUntil } = keeper
    Object.assign(values, { ownerId, ownerDeptId, ownedAt, gainedBy, protectUntil })
  },
  async afterMerge(hook) {
    const { entities, target, losers, values, now, reason, context } = hook
    const keeper = keeperOf(hook)
    if (keeper && target.holding === 'sea')
      await entities.transition(subject.name, String(target.id), 'keepOwner', { mergedFrom: String(keeper.code) })
    const person = (id: unknown) => (id ? entities.find('sys.staff', String(id)) : Promise.resolve(null))
    const [former, to] = [await person(target.ownerId), await person(values.ownerId ?? target.ownerId)]
    const changes = losers.map(async (loser) => ({
      recordId: String(target.id),
      action: 'merge' as const,
      from: loser.ownerId ? await person(loser.ownerId) : former,
      to,
      note: `${String(loser.code)} ${titleOf(subject, loser)}: ${reason}`.slice(0, 200),
      sourceDoc: String(loser.code),
    }))
    await logOwnership(subject, { entities, now, byId: context.user.staffId }, await Promise.all(changes))
  },
})

const titleOf = ({ model }: Subject, record: EntityRecord): string => String(record[model.document.titleField])

/** The merged record whose owner was chosen. */
const keeperOf = ({ losers, choices }: MergeHook): EntityRecord | undefined =>
  losers.find(({ id, ownerId }) => id === choices.ownerId && ownerId)

/** Records that go lie in the pool no longer. */
async function endStays({ word }: Subject, { entities, losers, now, reason }: MergeHook): Promise<void> {
  const stays = await entities.list(word.stay, {
    where: [
      { field: word.reference, operator: 'in', value: losers.map(({ id }) => id) },
      { field: 'leftAt', operator: 'empty' },
    ],
    lock: true,
  })
  const left = stays.map(({ id }): [string, EntityRecord] => [String(id), { leftAt: now.toISOString(), leftBy: 'merged' }])
  await entities.changeMany(word.stay, new Map(left), { reason })
}

/** A record that waits to be accepted by somebody stays what it is until then. */
async function refuseWhileTransferred(subject: Subject, { entities }: MergeHook, record: EntityRecord): Promise<void> {
  const { word } = subject
  const items = await entities.list(word.item, {
    where: [
      { field: word.reference, operator: 'eq', value: record.id },
      { field: 'result', operator: 'eq', value: 'waiting' },
    ],
  })
  for (const item of items) {
    const transfer = await entities.find(word.transfer, String(item.transferId))
    if (transfer?.status !== 'pending') continue
    const [title, code] = [titleOf(subject, record), String(transfer.code)]
    throw new ServiceError('transitionRefused', {
      message: {
        zh: `“${title}”在转移单 ${code} 中等待接收，接收或撤销后再合并。`,
        en: `"${title}" waits in the transfer ${code}; merge after it was accepted or cancelled.`,
      },
      data: { transition: 'merge' },
    })
  }
}

/** A receiver has one share of a record; the owner of the target needs none. */
async function endSecondShares(
  engine: EntityEngine,
  subject: Subject,
  { tx, entities, target, losers, reason }: MergeHook,
): Promise<void> {
  const { share } = subject.word
  const of = referenceColumn(engine, subject, share)
  const going = sql`any(${sql.param(losers.map(({ id }) => id))}::text[])`
  const { rows } = await tx.query<{ id: string }>(
    sql`select c.id from ${tableOf(engine, share)} c
     where c.${of} = ${going} and c.status in ('pending', 'accepted') and c.deleted_at is null
       and (c.to_staff_id = ${target.ownerId ?? null} or exists (select from ${tableOf(engine, share)} o where o.deleted_at is null and o.status in ('pending', 'accepted')
         and (o.${of} = ${target.id} or (o.${of} = ${going} and o.id < c.id))
         and o.to_staff_id is not distinct from c.to_staff_id and o.to_dept_id is not distinct from c.to_dept_id))`,
  )
  await entities.transitions(
    share,
    rows.map(({ id }) => id),
    'end',
    () => ({ endReason: 'merge' }),
    { reason },
  )
}
