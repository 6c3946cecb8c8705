import type { Entities, EntityRecord } from '../../../../entities'
import { newId, type Transaction } from '../../../../platform/database'
import type { Text } from '../../../../platform/http'
import { settleOwn, tell } from '../../../../todos'
import { claimableFrom } from '../../rules/claiming'
import { addDays, dayOf, daysBetween, type Day } from '../../rules/companyDay'
import type { RuleTypes } from '../../../../rules'
import { endShares } from '../../services/ownership'
import { staffName } from '../../../../staff'
import { decideOf, deadlinesStatement, type RefreshPlace } from './refresh'

/** A customer of a batch after the second look. */
export interface Recycled {
  id: string
  code: string
  name: string
  owner: Text | null
  recycleOn: Day
  reason: string | null
  /** due: a dry run would take it; taken; kept: the second look found a reason to keep it. */
  outcome: 'due' | 'taken' | 'kept'
}

interface Looked extends Recycled {
  ownerId: string
  ownerDeptId: string | null
  ownedAt: string | null
  lastFollowAt: string | null
  followCount: number
  seaStays: number
  /** Somebody else reads it, or is asked to. */
  shared: boolean
}

export interface TakePlace {
  entities: Entities
  tx: Transaction
  now: Date
  timeZone: string
  place: RefreshPlace
  rules: { claim: RuleTypes['crm.claim']; coolDown: RuleTypes['crm.coolDown'] }
  /** Version of the recycling rule that decides; 0 = the defaults. */
  ruleVersion: number
}

/**
 * Recycles some customers inside one transaction, after looking again at the locked rows: those that still are with the owner
 * of the list and whose day has come go to the sea, with their stay, their log, their history, and a word to the owner.
 */
export async function recycleSome(take: TakePlace, due: readonly { id: string; ownerId: string }[]): Promise<Recycled[]> {
  const looked = await lookAgain(take, due)
  const taken = looked.filter(({ outcome }) => outcome === 'taken')
  const { entities, tx, now, timeZone } = take
  await entities.insertMany(
    'crm.seaRecord',
    taken.map((one) => stayOf(one, take)),
  )
  for (const { id, reason, shared } of taken) if (shared) await endShares(entities, id, { now, byId: null, reason: reason ?? '' })
  for (const reason of new Set(taken.map((one) => one.reason ?? '')))
    await entities.changeMany(
      'crm.customer',
      new Map(taken.filter((one) => one.reason === reason).map((one) => [one.id, inSea(one, now)])),
      { reason },
    )
  await entities.insertMany(
    'crm.ownerLog',
    taken.map((one) => logOf(one, now)),
  )
  await settleOwn(
    tx,
    'crm.customer',
    taken.map(({ id, ownerId }) => ({ id, staffId: ownerId })),
    now,
  )
  await tell(
    tx,
    taken.map((one) => wordTo(one, dayOf(now, timeZone))),
    now,
  )
  return looked.map(({ id, code, name, owner, recycleOn, reason, outcome }) => ({
    id,
    code,
    name,
    owner,
    recycleOn,
    reason,
    outcome,
  }))
}

/** Locks the rows and decides anew; rows that are kept get the day that the rule gives them. */
async function lookAgain({ tx, place }: TakePlace, due: readonly { id: string; ownerId: string }[]): Promise<Looked[]> {
  const ids = due.map(({ id }) => id)
  await tx.query(`select id from crm_customer where id = any($1::text[]) order by id for update`, [ids])
  const { sql, params, onLeave } = await deadlinesStatement(tx, place, ids)
  const byHand = await decideOf(tx, place, onLeave, ids)
  const at = params.length
  const { rows } = await tx.query<Looked & { next: Day | null; oldOwnerId: string }>(
    `select c.id, c.code, c.name, ${staffName('s')} as owner, w.owner_id as "oldOwnerId",
       c.owner_id as "ownerId", s.main_dept_id as "ownerDeptId", c.owned_at as "ownedAt", c.last_follow_at as "lastFollowAt",
       coalesce(c.follow_count, 0) as "followCount", coalesce(c.sea_stays, 0) as "seaStays", d."nextOn"::text as next, d.reason,
       c.recycle_on::text as "recycleOn",
       exists (select from crm_share h where h.customer_id = c.id and h.status in ('pending', 'accepted') and h.deleted_at is null) as shared
     from unnest($${at + 1}::text[], $${at + 2}::text[]) with ordinality as w(id, owner_id, place)
       join crm_customer c on c.id = w.id
       left join sys_staff s on s.id = c.owner_id
       left join (select id, "nextOn", reason from (${sql}) as by_rule
         union all select * from jsonb_to_recordset($${at + 3}::jsonb) as by_hand(id text, "nextOn" date, reason text)) d on d.id = c.id
     order by w.place`,
    [...params, ids, due.map(({ ownerId }) => ownerId), JSON.stringify(byHand)],
  )
  const looked = rows.map(({ next, oldOwnerId, ...row }): Looked => {
    const goes = next !== null && row.reason !== null && next <= place.today && row.ownerId === oldOwnerId
    return { ...row, recycleOn: next ?? row.recycleOn, outcome: goes ? 'taken' : 'kept' }
  })
  const kept = rows.filter((_, index) => looked[index]?.outcome === 'kept')
  await tx.query(
    `update crm_customer t set recycle_on = k.next from unnest($1::text[], $2::date[]) as k(id, next)
     where t.id = k.id and t.holding = 'private' and t.recycle_on is distinct from k.next`,
    [kept.map(({ id }) => id), kept.map(({ next }) => next)],
  )
  return looked
}

/** The stay in the sea that begins, with what it was decided by and the cool-down of the owner. */
function stayOf(one: Looked, { now, timeZone, rules, ruleVersion }: TakePlace): EntityRecord {
  const today = dayOf(now, timeZone)
  return {
    id: newId(),
    customerId: one.id,
    enteredAt: now.toISOString(),
    reason: one.reason,
    reasonNote: null,
    lastFollowAt: one.lastFollowAt,
    dueOn: one.recycleOn,
    ruleVersion,
    lastOwnerId: one.ownerId,
    lastOwnerDeptId: one.ownerDeptId,
    heldDays: one.ownedAt ? daysBetween(dayOf(one.ownedAt, timeZone), today) : 0,
    followCountAtEntry: Number(one.followCount),
    claimableFrom: claimableFrom(now, rules.claim, timeZone).toISOString(),
    coolUntil: rules.coolDown.reasons.includes(one.reason ?? '') ? addDays(today, rules.coolDown.ownerCoolDays) : null,
    attempts: [],
    createdAt: now.toISOString(),
    createdBy: one.ownerId,
  }
}

const inSea = (one: Looked, now: Date): EntityRecord => ({
  holding: 'sea',
  ownerId: null,
  ownerDeptId: null,
  ownedAt: null,
  seaEnteredAt: now.toISOString(),
  seaReason: one.reason,
  lastOwnerId: one.ownerId,
  seaStays: Number(one.seaStays) + 1,
  nextFollowAt: null,
  protectUntil: null,
  recycleOn: null,
  recycleNotBefore: null,
})

const logOf = (one: Looked, now: Date): EntityRecord => ({
  id: newId(),
  customerId: one.id,
  action: 'recycle',
  fromStaffId: one.ownerId,
  fromDeptId: one.ownerDeptId,
  reason: one.reason,
  note: null,
  at: now.toISOString(),
  createdAt: now.toISOString(),
  createdBy: null,
})

function wordTo(one: Looked, today: Day) {
  const reason = REASONS[one.reason ?? ''] ?? { zh: one.reason ?? '', en: one.reason ?? '' }
  return {
    staffId: one.ownerId,
    kind: 'recycled',
    title: {
      zh: `${one.name}（${one.code}）已回收到公海：${reason.zh}。`,
      en: `${one.name} (${one.code}) went to the open sea: ${reason.en}.`,
    },
    subject: { entity: 'crm.customer', id: one.id },
    link: `/crm/client-partner/open-sea/details?id=${encodeURIComponent(one.id)}`,
    key: `recycled/${one.id}/${today}`,
  }
}

const REASONS: Readonly<Record<string, { zh: string; en: string }>> = {
  noFollow: { zh: '超期未跟进', en: 'no follow-up in time' },
  firstTouch: { zh: '获得后一直未跟进', en: 'never followed up' },
  noDeal: { zh: '超期未成交', en: 'no deal in time' },
}
