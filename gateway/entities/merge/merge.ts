import { sql } from 'drizzle-orm'
import { entityScope, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import { can, ServiceError, type RequestContext } from '../../platform/http'
import { moveTodos } from '../../todos'
import type { EntityRecord, MergeAnswer, MergePreview, MergeRequest, References } from '../calls'
import { textArray } from '../clause'
import type { WriteContext } from '../core'
import { evaluate, evaluateText } from '../effects/subject'
import { viewRecord } from '../read/view'
import { sameValue } from '../sameValue'
import { columnSql, tableSql } from '../tables'
import type { MergeHook } from '../types'
import { existing } from '../write/existing'
import { folded } from './fold'
import { followingOf, repoint } from './repoint'

type Word = NonNullable<EntityDocument['x-merge']>
/** Choice for a list: the entries of all records. */
const ALL = 'all'

/** @throws 10010003 without the key */
function wordOf(model: EntityModel, context: RequestContext): Word {
  const word = model.document['x-merge']
  if (!word) throw new ServiceError('notFound')
  if (!can(context, word.permission)) throw new ServiceError('noPermission', { data: { permission: word.permission } })
  return word
}

/** Fields whose value is chosen among the records. */
const choosable = (model: EntityModel, { choose = [], never = [] }: Word): FieldModel[] =>
  model.stored.filter(
    ({ name, origin, internal, field, kept }) =>
      choose.includes(name) || (origin === 'own' && !internal && !kept && field.readOnly !== true && !never.includes(name)),
  )

/** Records side by side: fields to choose from, and what would move. */
export async function mergePreview(write: WriteContext, ids: readonly string[]): Promise<MergePreview> {
  const { core, tx, context, model } = write
  const word = wordOf(model, context)
  const views = []
  for (const id of ids) views.push(await viewRecord(core, context, model, id))
  const records = views.map(({ record }) => record)
  const refs: References = {}
  for (const view of views)
    for (const [entity, titles] of Object.entries(view.refs)) refs[entity] = { ...refs[entity], ...titles }
  const children = new Map<EntityModel, number[]>()
  for (const { model: child, field } of followingOf(write)) {
    if (child === model || field.many) continue
    const { rows } = await tx.query<{ id: string; count: number }>(
      sql`select ${columnSql('t', field)} as "id", count(*) as "count" from ${tableSql(child, 't')} where ${columnSql('t', field)} = any(${textArray(ids)}) and t.deleted_at is null group by 1`,
    )
    const known = children.get(child) ?? ids.map(() => 0)
    const counts = known.map((count, index) => count + Number(rows.find(({ id }) => id === ids[index])?.count ?? 0))
    if (counts.some((count) => count > 0)) children.set(child, counts)
  }
  return {
    records,
    refs,
    writable: views.map((view) => view.can.edit),
    fields: choosable(model, word)
      .map(({ name }) => name)
      .filter((name) => records.every((record) => name in record)),
    joinable: word.lists ?? [],
    children: [...children].map(([child, counts]) => ({ entity: child.name, label: child.label[context.locale], counts })),
  }
}

/**
 * Makes one record of several: chosen values, joined facts, and everything that named those that go. They are deleted and point to the
 * one that stays; it cannot be undone.
 */
export async function mergeRecords(write: WriteContext, request: MergeRequest): Promise<MergeAnswer> {
  const { core, tx, context, model } = write
  const word = wordOf(model, context)
  const { targetId, loserIds, reason } = request
  const ids = [targetId, ...loserIds]
  if (new Set(ids).size !== ids.length)
    throw new ServiceError('badRequest', { message: { zh: '不能与自己合并。', en: 'A record cannot be merged with itself.' } })
  // in one order, so that two merges of the same records wait for each other instead of blocking
  const locked = new Map<string, EntityRecord>()
  for (const id of [...ids].sort()) locked.set(id, await existing({ core, tx, context, model }, id, false))
  const records = ids.map((id) => locked.get(id)!)
  const [target, ...losers] = records as [EntityRecord, ...EntityRecord[]]
  refuse(write, word, target, losers)

  const values: EntityRecord = { ...chosen(write, word, request.fields, records), ...facts(write, word, records) }
  const entities = core.entities(tx, context)
  const hook: MergeHook = {
    tx,
    context,
    now: context.now,
    entities,
    model,
    target,
    losers,
    choices: request.fields,
    values,
    reason,
  }
  const service = core.registry.serviceOf(model)
  await service?.beforeMerge?.(hook)
  const moved = await repoint({ ...write, reason }, new Map(loserIds.map((id) => [id, targetId])))
  for (const loser of losers) {
    const id = String(loser.id)
    if (core.registry.find('sys.todo')) await moveTodos(tx, { entity: model.name, from: id, to: targetId, now: context.now })
    if (core.registry.find('sys.file'))
      await tx.query(sql`update sys_file set record_id = ${targetId} where entity = ${model.name} and record_id = ${id}`)
    await entities.save(model.name, { id, [word.into]: targetId }, { reason })
    await entities.remove(model.name, id, { reason })
  }
  const merged = { ...values, [word.into]: null }
  const differing = Object.entries(merged).filter(([name, value]) => !sameValue(target[name] ?? null, value ?? null))
  await entities.save(model.name, { id: targetId, ...Object.fromEntries(differing) }, { reason })
  await service?.afterMerge?.(hook)
  return { id: targetId, moved }
}

function refuse(
  write: WriteContext,
  { refuse: refusals = [] }: Word,
  target: EntityRecord,
  losers: readonly EntityRecord[],
): void {
  const scope = write.core.registry.expressionScope(write.context, write.model, target)
  for (const { when, message } of refusals)
    for (const loser of losers) {
      const both = { ...scope, other: entityScope(write.model, loser) }
      if (evaluate(write, when, both))
        throw new ServiceError('transitionRefused', {
          message: evaluateText(write, message, both),
          data: { transition: 'merge' },
        })
    }
}

/** The values that were chosen field by field: the id of the record whose value holds, or `all` for a list. */
function chosen(
  { model }: WriteContext,
  word: Word,
  fields: Readonly<Record<string, string>>,
  records: readonly EntityRecord[],
): EntityRecord {
  const allowed = new Set(choosable(model, word).map(({ name }) => name))
  const of = (choice: string): EntityRecord | undefined => records.find(({ id }) => id === choice)
  const wrong = Object.entries(fields).find(
    ([name, choice]) => !allowed.has(name) || !(choice === ALL ? (word.lists ?? []).includes(name) : of(choice)),
  )
  if (wrong)
    throw new ServiceError('badRequest', {
      message: { zh: `字段“${wrong[0]}”的选择无效。`, en: `The choice for the field "${wrong[0]}" is not one of the records.` },
      data: { errors: [{ field: wrong[0], message: 'choice' }] },
    })
  return Object.fromEntries(
    Object.entries(fields).map(([name, choice]) => [
      name,
      choice === ALL
        ? folded(
            'all',
            records.map((record) => record[name]),
          )
        : (of(choice)?.[name] ?? null),
    ]),
  )
}

/** Facts that nobody chooses: what happened to one of the records happened to the one that stays. */
function facts({ model }: WriteContext, { facts: word = {} }: Word, records: readonly EntityRecord[]): EntityRecord {
  return Object.fromEntries(
    Object.entries(word).map(([name, how]) => {
      const value = folded(
        how,
        records.map((record) => record[name]),
      )
      const { field, label } = model.fields.get(name)!
      if (Array.isArray(value) && value.length > (field.maxItems ?? Infinity))
        throw new ServiceError('transitionRefused', {
          message: {
            zh: `合并后“${label.zh}”有 ${value.length} 项，最多 ${field.maxItems} 项。请先删除一些。`,
            en: `Together they have ${value.length} of "${label.en}", at most ${field.maxItems} are possible. Remove some first.`,
          },
          data: { transition: 'merge' },
        })
      return [name, value]
    }),
  )
}
