import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import { ServiceError, type Text } from '../../platform/http'
import type { EntityRecord } from '../calls'
import { allOf, clauseSql, textArray } from '../clause'
import type { Core } from '../core'
import { mayRead } from '../query/queriedTable'
import { RowScope } from '../query/scope'
import { storedColumns } from '../read/record'
import type { Referrer } from '../registry'
import { columnSql, tableSql } from '../tables'
import type { RemoveHook } from '../types'
import type { WriteContext, Written } from '../core'

/** Records that a refusal names of each kind. */
const NAMED = 3

/**
 * `x-onDelete`: what happens to records that name deleted ones, all of them at once: refusal first, then what goes along, then what
 * is emptied. What went along with a record comes back with it.
 * @throws ServiceError 10010007 naming the records that still refer to one
 */
export async function actOnDeletion(write: WriteContext, written: readonly Written[]): Promise<void> {
  const referrers = write.core.registry.referrersOf(write.model.name)
  if (referrers.length === 0) return
  const deleted = written.filter(({ before, after }) => before && !before.deletedAt && after.deletedAt)
  const restored = written.filter(({ before, after }) => before?.deletedAt && !after.deletedAt)
  if (deleted.length > 0) {
    await refuseReferred(write, idsOf(deleted))
    for (const referrer of referrers) {
      if (referrer.policy === 'cascade') await deleteAlong(write, deleted, referrer)
      if (referrer.policy === 'clear') await clear(write, deleted, referrer)
    }
  }
  for (const referrer of referrers) if (referrer.policy === 'cascade') await bringBack(write, restored, referrer)
}

const idsOf = (written: readonly Written[]): string[] => written.map(({ after }) => String(after.id))

/** Live rows of a referrer that name one of the records. */
function naming({ field }: Referrer, ids: readonly string[], live = true): SQL {
  const column = columnSql('t', field)
  return clauseSql(
    allOf([
      field.many ? sql`${column} ?| ${textArray(ids)}` : sql`${column} = any(${textArray(ids)})`,
      sql`${columnSql('t', { column: 'deleted_at' })} is ${sql.raw(live ? '' : 'not ')}null`,
    ]),
  )
}

/**
 * What names records and keeps them from being deleted. A deletion asks before its hooks, and again when it is written.
 * @throws ServiceError 10010007 naming the records that still refer to one
 */
export async function refuseReferred(write: WriteContext, ids: readonly string[]): Promise<void> {
  const { core, tx, model, context } = write
  const referrers = core.registry.referrersOf(model.name).filter(({ policy }) => policy === 'restrict')
  if (referrers.length === 0) return
  const counts = referrers.map((referrer, index) => {
    const self = referrer.model === model ? sql` and not (${columnSql('t', { column: 'id' })} = any(${textArray(ids)}))` : sql``
    return sql`select ${index}::int as "index", count(*) as "count" from ${tableSql(referrer.model, 't')} where ${naming(referrer, ids)}${self}`
  })
  const { rows } = await tx.query<{ index: number; count: number }>(sql.join(counts, sql` union all `))
  const held = rows
    .filter(({ count }) => Number(count) > 0)
    .sort((a, b) => a.index - b.index)
    .map(({ index, count }) => ({ referrer: referrers[index]!, count: Number(count) }))
  if (held.length === 0) return
  const told: { referrer: Referrer; count: number; records: { id: string; title: string }[] }[] = []
  for (const one of held) told.push({ ...one, records: await someOf(write, one.referrer, ids) })
  throw new ServiceError('transitionRefused', {
    message: sentence(model, told),
    data: {
      transition: 'delete',
      reason: 'referred',
      referrers: told.map(({ referrer, count, records }) => ({
        entity: referrer.model.name,
        field: referrer.field.name,
        label: referrer.model.label[context.locale],
        count,
        records,
      })),
    },
  })
}

/** The first few that the caller may see. */
async function someOf(
  { core, tx, context }: WriteContext,
  referrer: Referrer,
  ids: readonly string[],
): Promise<{ id: string; title: string }[]> {
  const { model } = referrer
  if (!mayRead(context, model)) return []
  const seen = clauseSql(new RowScope(core.registry, context).readable(model, 't'))
  const { rows } = await tx.query<{ id: string }>(
    sql`select ${columnSql('t', { column: 'id' })} as "id" from ${tableSql(model, 't')} where ${naming(referrer, ids)} and ${seen} order by 1 limit ${NAMED}`,
  )
  const titles = await core.references.titles(tx, context, new Map([[model.name, new Set(rows.map(({ id }) => id))]]))
  return rows.map(({ id }) => ({ id, title: titles[model.name]?.[id]?.title ?? id }))
}

function sentence(
  model: EntityModel,
  told: readonly { referrer: Referrer; count: number; records: readonly { title: string }[] }[],
): Text {
  const names = (records: readonly { title: string }[], count: number, between: string, open: string, close: string): string => {
    const shown = records.map(({ title }) => title).join(between)
    return shown === '' ? '' : `${open}${shown}${count > records.length ? `${between}…` : ''}${close}`
  }
  const zh = told.map(
    ({ referrer, count, records }) => `${count} 条${referrer.model.label.zh}${names(records, count, '、', '（', '）')}`,
  )
  const en = told.map(
    ({ referrer, count, records }) =>
      `${count} ${numbered(referrer.model.label.en.toLowerCase(), count)}${names(records, count, ', ', ' (', ')')}`,
  )
  const still = told.length === 1 && told[0]!.count === 1 ? 'still refers' : 'still refer'
  return {
    zh: `还有 ${zh.join('、')}使用该${model.label.zh}，请先删除或改为其他${model.label.zh}。`,
    en: `${en.join(', ')} ${still} to this ${model.label.en.toLowerCase()}. Delete or change them first.`,
  }
}

/** The plural of a label, as far as labels need one. */
function numbered(label: string, count: number): string {
  if (count === 1 || /ff$/.test(label)) return label
  if (/[^aeiou]y$/.test(label)) return `${label.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(label) ? `${label}es` : `${label}s`
}

/** Deletes what names the records, with its hooks and its history, at the same moment. */
async function deleteAlong({ core, tx, context }: WriteContext, deleted: readonly Written[], referrer: Referrer): Promise<void> {
  const { model } = referrer
  const { rows } = await tx.query<EntityRecord>(
    sql`select ${storedColumns(model, 't')} from ${tableSql(model, 't')} where ${naming(referrer, idsOf(deleted))} order by ${columnSql('t', { column: 'id' })} for update of t`,
  )
  const { deletedAt, deletedBy } = deleted[0]!.after
  await withHooks({ core, tx, context, model }, rows, 'Delete', () =>
    core.entities(tx, context).changeMany(model.name, new Map(rows.map((row) => [String(row.id), { deletedAt, deletedBy }]))),
  )
}

/** What went along with records comes back with them: what was deleted at their moment. */
async function bringBack({ core, tx, context }: WriteContext, restored: readonly Written[], referrer: Referrer): Promise<void> {
  const { model } = referrer
  const moments = new Map(restored.map(({ before }) => [`${String(before!.deletedAt)} ${String(before!.deletedBy)}`, before!]))
  for (const { deletedAt, deletedBy } of moments.values()) {
    const together = restored.filter(({ before }) => before!.deletedAt === deletedAt && before!.deletedBy === deletedBy)
    const { rows } = await tx.query<EntityRecord>(
      sql`select ${storedColumns(model, 't')} from ${tableSql(model, 't')} where ${naming(referrer, idsOf(together), false)} and ${columnSql('t', { column: 'deleted_at' })} = ${deletedAt}::timestamptz and ${columnSql('t', { column: 'deleted_by' })} is not distinct from ${deletedBy} order by ${columnSql('t', { column: 'id' })} for update of t`,
    )
    const live = new Map(rows.map((row) => [String(row.id), { deletedAt: null, deletedBy: null }]))
    await withHooks({ core, tx, context, model }, rows, 'Restore', () =>
      core.entities(tx, context).changeMany(model.name, live, { deleted: true }),
    )
  }
}

/** What hooks of a deletion get. */
export const removeHook = ({ core, tx, context, model }: WriteContext, record: EntityRecord): RemoveHook => ({
  ...{ tx, context, now: context.now, entities: core.entities(tx, context), model, record },
})

async function withHooks(
  write: WriteContext,
  rows: readonly EntityRecord[],
  deed: 'Delete' | 'Restore',
  mark: () => Promise<unknown>,
): Promise<void> {
  if (rows.length === 0) return
  const service = write.core.registry.serviceOf(write.model)
  if (service?.[`before${deed}`]) for (const row of rows) await service[`before${deed}`]?.(removeHook(write, row))
  await mark()
  if (service?.[`after${deed}`]) for (const row of rows) await service[`after${deed}`]?.(removeHook(write, row))
}

/** Takes the records out of what names them. */
async function clear({ core, tx, context }: WriteContext, deleted: readonly Written[], referrer: Referrer): Promise<void> {
  const { model, field } = referrer
  const ids = new Set(idsOf(deleted))
  const { rows } = await tx.query<{ id: string; named: unknown }>(
    sql`select ${columnSql('t', { column: 'id' })} as "id", ${columnSql('t', field)} as "named" from ${tableSql(model, 't')} where ${naming(referrer, [...ids])}`,
  )
  const rest = (named: unknown): unknown =>
    field.many && Array.isArray(named) ? (named as unknown[]).filter((id) => !ids.has(String(id))) : null
  await core
    .entities(tx, context)
    .changeMany(model.name, new Map(rows.map(({ id, named }) => [id, { [field.name]: rest(named) }])))
}

/**
 * Holds what written rows name with a policy: whoever deletes it waits for this write, and finds its rows. One statement for each entity
 * that is named.
 * @throws ServiceError 10060059 when it was deleted in between
 */
export async function holdReferences({ core, tx, model }: WriteContext, written: readonly Written[]): Promise<void> {
  const wanted = new Map<string, Set<string>>()
  for (const { field, target } of heldReferences(core, model)) {
    for (const { before, after } of written) {
      if (after.deletedAt) continue
      const old = before && !before.deletedAt ? before[field.name] : null
      for (const id of [after[field.name]].flat()) {
        if (typeof id !== 'string' || [old].flat().includes(id)) continue
        wanted.set(target.name, (wanted.get(target.name) ?? new Set()).add(id))
      }
    }
  }
  for (const [entity, ids] of wanted) {
    const target = core.registry.model(entity)
    const { rowCount } = await tx.query(
      sql`select from ${tableSql(target, 't')} where ${columnSql('t', { column: 'id' })} = any(${textArray([...ids])}) and ${columnSql('t', { column: 'deleted_at' })} is null order by ${columnSql('t', { column: 'id' })} for key share of t`,
    )
    if (rowCount < ids.size)
      throw new ServiceError('factsChanged', {
        message: {
          zh: `所引用的${target.label.zh}已被删除，请重新选择。`,
          en: `The ${target.label.en.toLowerCase()} that it refers to was deleted. Please choose another one.`,
        },
        data: { reason: 'referenceGone', entity },
      })
  }
}

function heldReferences({ registry }: Core, model: EntityModel): { field: FieldModel; target: EntityModel }[] {
  return model.stored.flatMap((field) => {
    const target = field.field['x-onDelete'] && field.field['x-ref'] ? registry.find(field.field['x-ref']) : undefined
    return target ? [{ field, target }] : []
  })
}
