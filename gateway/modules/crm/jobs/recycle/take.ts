import type { Entities } from '../../../../entities'
import type { Transaction } from '../../../../platform/database'
import { settle, tell } from '../../../../todos'
import { decideRecycling } from '../../rules/recycling'
import { enterSea, logOwnership } from '../../services/ownership'
import { departmentsOf, ruleFor } from '../../services/rules'
import { resolveRule } from '../../rules/resolve'
import { CRM_RULE_DEFAULTS } from '../../rules/ruleSets'
import type { DueCustomer } from './due'
import { factsOf } from './facts'
import type { RefreshPlace } from './refresh'

export interface Recycled extends DueCustomer {
  /** due: a dry run would take it; taken; kept: the second look found a reason to keep it. */
  outcome: 'due' | 'taken' | 'kept'
}

interface TakePlace {
  entities: Entities
  tx: Transaction
  now: Date
  timeZone: string
  place: RefreshPlace
}

/** Recycles one customer inside its own transaction, after looking again at the locked row. */
export async function recycleOne({ entities, tx, now, timeZone, place }: TakePlace, due: DueCustomer): Promise<Recycled> {
  const customer = await entities.find('crm.customer', due.id, { lock: true })
  if (!customer || customer.holding !== 'private' || customer.ownerId !== due.ownerId) return { ...due, outcome: 'kept' }
  const rule = resolveRule(CRM_RULE_DEFAULTS['crm.sea'], place.book.set, place.book.overrides, {
    staffId: due.ownerId,
    deptIds: (await departmentsOf(tx, [due.ownerId])).get(due.ownerId) ?? [],
    level: String(customer.level),
    countryCode: String(customer.countryCode),
  })
  const { recycleOn, reason } = decideRecycling(await factsOf(tx, customer, place.holdings), rule, timeZone)
  if (recycleOn === null || reason === null || recycleOn > place.today) {
    await tx.query(`update crm_customer set recycle_on = $2 where id = $1`, [due.id, recycleOn])
    return { ...due, outcome: 'kept' }
  }
  const owner = await entities.find('sys.staff', due.ownerId)
  const record = { ...customer, holding: 'sea' }
  const evidence = `recycleOn ${recycleOn}; ${reason}; lastFollowAt ${stamp(customer.lastFollowAt)}; ownedAt ${stamp(customer.ownedAt)}`
  const rules = { claim: await ruleFor(tx, 'crm.claim', now), coolDown: await ruleFor(tx, 'crm.coolDown', now) }
  await enterSea(entities, { before: customer, record }, { reason, note: evidence, owner, now, timeZone, rules })
  const { id, holding, ownerId, seaEnteredAt, seaReason, lastOwnerId, seaStays, nextFollowAt, protectUntil } =
    record as typeof customer
  await entities.save(
    'crm.customer',
    {
      id,
      holding,
      ownerId,
      seaEnteredAt,
      seaReason,
      lastOwnerId,
      seaStays,
      nextFollowAt,
      protectUntil,
      recycleOn: null,
      recycleNotBefore: null,
    },
    { reason },
  )
  await logOwnership(entities, now, { customerId: due.id, action: 'recycle', from: owner, reason, note: evidence }, null)
  await settle(tx, { entity: 'crm.customer', ids: [due.id] }, { as: 'dropped', now, staffId: due.ownerId })
  await tell(
    tx,
    [
      {
        staffId: due.ownerId,
        kind: 'recycled',
        title: {
          zh: `${due.name}（${due.code}）已回收到公海：${REASONS[reason].zh}。`,
          en: `${due.name} (${due.code}) went to the open sea: ${REASONS[reason].en}.`,
        },
        subject: { entity: 'crm.customer', id: due.id },
        link: `/crm/client-partner/open-sea/details?id=${encodeURIComponent(due.id)}`,
        key: `recycled/${due.id}/${place.today}`,
      },
    ],
    now,
  )
  return { ...due, recycleOn, reason, outcome: 'taken' }
}

const REASONS = {
  noFollow: { zh: '超期未跟进', en: 'no follow-up in time' },
  firstTouch: { zh: '获得后一直未跟进', en: 'never followed up' },
  noDeal: { zh: '超期未成交', en: 'no deal in time' },
}
const stamp = (value: unknown): string => (typeof value === 'string' ? value : '-')
