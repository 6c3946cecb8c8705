import { sql } from 'drizzle-orm'
import type { EntityModel, ModelField } from '../../../../src/schema/entity'
import type { EntityEngine, EntityRecord } from '../../../entities'
import { joinDoubles, type Merge } from './mergeDoubles'

const CUSTOMER = 'crm.customer'
/** History that stays with the record to which it happened: who owned it when, and its stays in the sea. */
const STAYS_BEHIND = new Set([CUSTOMER, 'crm.ownerLog', 'crm.seaRecord', 'crm.dupAppeal'])
/** Rows that are changed at once. */
const BATCH = 1_000

/** Entities whose rows name a customer (their own, an agent), with the field that says which. */
export function childrenOf(engine: EntityEngine): { model: EntityModel; field: ModelField }[] {
  return engine
    .names()
    .filter((name) => !STAYS_BEHIND.has(name))
    .map((name) => engine.model(name))
    .flatMap((model) =>
      model.stored
        .filter(({ name, field, many }) => field['x-ref'] === CUSTOMER && !many && name !== 'duplicateOfId')
        .map((field) => ({ model, field })),
    )
}

/** Changes rows, each in its history; who changed them last stays, because what they say has not changed. */
const changeRows = (
  { entities, reason }: Pick<Merge, 'entities' | 'reason'>,
  entity: string,
  rows: readonly EntityRecord[],
): Promise<number> =>
  entities.changeMany(entity, new Map(rows.map(({ id, ...values }) => [String(id), values])), { reason, keepTime: true })

/** Whose agent a record was that goes, gets the one that stays; nobody is the agent above himself. */
export async function moveAgency(merge: Merge): Promise<void> {
  const { tx, targetId, loserIds } = merge
  const { rows: brought } = await tx.query<EntityRecord>(
    `select id, $1 as "agentId" from crm_customer where agent_id = any($2::text[]) and deleted_at is null`,
    [targetId, loserIds],
  )
  await changeRows(merge, CUSTOMER, brought)
  // a deleted row tells no story, but restored it must not point to a record that is gone
  await tx.query(`update crm_customer set agent_id = $1 where agent_id = any($2::text[]) and deleted_at is not null`, [
    targetId,
    loserIds,
  ])
  const { rows: circles } = await tx.query<EntityRecord>(
    `select id, null as "parentAgentId" from crm_partner_profile where customer_id = $1 and parent_agent_id = $1 and deleted_at is null`,
    [targetId],
  )
  await changeRows(merge, 'crm.partnerProfile', circles)
}

/**
 * Moves everything that belongs to the losers. What the target can hold once only (a profile, a mail address) stays behind. Answers
 * the moved rows by entity.
 */
export async function moveChildren(engine: EntityEngine, merge: Merge, ownerId: unknown): Promise<Record<string, number>> {
  await endSecondShares(engine, merge, ownerId)
  await onePrimary(merge)
  const moved: Record<string, number> = {}
  for (const child of childrenOf(engine))
    for (const loserId of merge.loserIds) {
      const count = await moveRows(merge, child, loserId)
      if (count > 0) moved[child.model.name] = (moved[child.model.name] ?? 0) + count
    }
  return moved
}

async function moveRows(
  merge: Merge,
  { model, field }: { model: EntityModel; field: ModelField },
  loserId: string,
): Promise<number> {
  const { tx, targetId, now } = merge
  const table = sql.identifier(model.table)
  const column = sql.identifier(field.column)
  const uniques = (model.document['x-unique'] ?? [])
    // of documents that may not run twice the merge is refused until one is decided
    .flatMap(({ fields, where }) => (where ? [] : [fields]))
    .filter((group) => group.includes(field.name))
    .map((group) => group.filter((name) => name !== field.name).map((name) => model.fields.get(name)?.column ?? name))
  const groups = field.field['x-unique'] === true ? [...uniques, []] : uniques
  const free = groups.map((columns) => {
    const same = columns.map((name) => sql`o.${sql.identifier(name)} = c.${sql.identifier(name)}`)
    return sql`not exists (select from ${table} o where ${sql.join([sql`o.${column} = ${targetId}`, sql`o.deleted_at is null`, ...same], sql` and `)})`
  })
  const change = async (where: readonly ReturnType<typeof sql>[], values: EntityRecord): Promise<number> => {
    for (let count = 0; ;) {
      const { rows } = await tx.query<EntityRecord>(
        sql`select c.id from ${table} c where ${sql.join([sql`c.${column} = ${loserId}`, sql`c.deleted_at is null`, ...where], sql` and `)} limit ${BATCH}`,
      )
      await changeRows(
        merge,
        model.name,
        rows.map(({ id }) => ({ id, ...values })),
      )
      count += rows.length
      if (rows.length < BATCH) return count
    }
  }
  const moved = await change(free, { [field.name]: targetId })
  for (const same of uniques) await joinDoubles(merge, { model, field, same }, loserId)
  // what the target has already goes with the record that goes
  await change([], { deletedAt: now.toISOString() })
  return moved
}

/** Of several sets of contacts one keeps its primary contact. */
async function onePrimary(merge: Merge): Promise<void> {
  const { tx, entities, targetId, loserIds } = merge
  const has = await entities.count('crm.contact', [{ field: 'customerId', operator: 'eq', value: targetId }])
  const { rows } = await tx.query<EntityRecord>(
    `select id, false as "isPrimary" from crm_contact where customer_id = any($1::text[]) and deleted_at is null and is_primary order by created_at`,
    [loserIds],
  )
  await changeRows(merge, 'crm.contact', has > 0 ? rows : rows.slice(1))
}

/** A receiver has one share of a customer; the owner of the target needs none. */
async function endSecondShares(
  engine: EntityEngine,
  { tx, entities, targetId, loserIds, reason, now }: Merge,
  ownerId: unknown,
): Promise<void> {
  if (!engine.names().includes('crm.share')) return
  const { rows } = await tx.query<{ id: string }>(
    `select c.id from crm_share c
     where c.customer_id = any($2::text[]) and c.status in ('pending', 'accepted') and c.deleted_at is null
       and (c.to_staff_id = $3 or exists (select from crm_share o where o.deleted_at is null and o.status in ('pending', 'accepted')
         and (o.customer_id = $1 or (o.customer_id = any($2::text[]) and o.id < c.id))
         and o.to_staff_id is not distinct from c.to_staff_id and o.to_dept_id is not distinct from c.to_dept_id))`,
    [targetId, loserIds, ownerId],
  )
  const ended = { status: 'ended', endedAt: now.toISOString(), endReason: 'merge' }
  await entities.changeMany('crm.share', new Map(rows.map(({ id }) => [id, ended])), { reason })
}
