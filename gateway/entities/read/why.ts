import { sql } from 'drizzle-orm'
import type { EntityModel } from '../../../src/schema/entity'
import type { RequestContext, Text } from '../../platform/http'
import type { References, ToldCause } from '../calls'
import { clauseSql, textArray } from '../clause'
import type { Core } from '../core'
import { readCauses, type KeptCause } from '../effects/cause'
import { mayRead } from '../query/queriedTable'
import { RowScope } from '../query/scope'
import { columnSql, tableSql } from '../tables'

/** What led to writes, in the words of the reader, the nearest cause first. Records that are not in his reach are not named. */
export async function tellCauses(core: Core, context: RequestContext, kept: readonly (string | null)[]): Promise<ToldCause[][]> {
  const read = kept.map(readCauses)
  const wanted = new Map<string, Set<string>>()
  for (const { entity, id } of read.flat())
    if (entity !== undefined && core.registry.find(entity)) wanted.set(entity, (wanted.get(entity) ?? new Set<string>()).add(id))
  const seen = new Map<string, ReadonlySet<string>>()
  for (const [entity, ids] of wanted) seen.set(entity, await inReach(core, context, core.registry.model(entity), [...ids]))
  const titles = await core.references.titles(core.database, context, seen)
  return read.map((causes) => causes.map((cause) => told(core, context, cause, titles)))
}

/** Cause and consequence in one line, for lists and files. */
export const causesInLine = (causes: readonly ToldCause[]): string =>
  causes.map(({ record, text }) => [record?.title ?? '', text].filter(Boolean).join(' ')).join(' ← ')

async function inReach(core: Core, context: RequestContext, model: EntityModel, ids: readonly string[]): Promise<Set<string>> {
  if (!mayRead(context, model)) return new Set()
  const readable = clauseSql(new RowScope(core.registry, context).readable(model, 't'))
  const id = columnSql('t', { column: 'id' })
  const { rows } = await core.database.query<{ id: string }>(
    sql`select ${id} as "id" from ${tableSql(model, 't')} where ${id} = any(${textArray(ids)}) and ${columnSql('t', { column: 'deleted_at' })} is null and ${readable}`,
  )
  return new Set(rows.map((row) => row.id))
}

function told(core: Core, { locale }: RequestContext, cause: KeptCause, titles: References): ToldCause {
  const say = ({ zh, en }: Text): string => (locale === 'zh' ? zh : en)
  const model = cause.entity === undefined ? undefined : core.registry.find(cause.entity)
  const { step, effect } = stepOf(model, cause.step)
  const parts = [
    ...(step ? [say(step)] : []),
    ...(effect === '' ? [] : [say({ zh: `动作 ${effect}`, en: `effect ${effect}` })]),
    ...cause.rules.map(({ key, version }) =>
      version === 0
        ? say({ zh: `规则 ${key}（默认值）`, en: `rules ${key} (defaults)` })
        : say({ zh: `规则 ${key} 第 ${version} 版`, en: `rules ${key}, version ${version}` }),
    ),
  ]
  const text = parts.join(' · ')
  if (cause.entity === undefined) return { text }
  const found = titles[cause.entity]?.[cause.id]
  const others = found && cause.more > 0 ? say({ zh: `等 ${cause.more + 1} 条`, en: ` and ${cause.more} more` }) : ''
  const label = model?.label[locale] ?? cause.entity
  const open = found && core.detailPage?.(cause.entity)
  return {
    record: {
      title: found ? `${label} ${found.title}${others}` : label,
      ...(open === undefined ? {} : { open: `${open}?id=${encodeURIComponent(cause.id)}` }),
    },
    text,
  }
}

const EVENTS: Readonly<Record<string, Text>> = {
  create: { zh: '新建', en: 'Create' },
  change: { zh: '修改', en: 'Change' },
  delete: { zh: '删除', en: 'Delete' },
}

/** `accept.items` as the transition (or deadline, or event) and its effect; ids may have dots themselves. */
function stepOf(model: EntityModel | undefined, step: string): { step: Text | null; effect: string } {
  const named: readonly { id: string; label?: Text | undefined }[] = [
    ...(model?.machines ?? []).flatMap(({ transitions }) => transitions),
    ...(model?.document['x-deadlines'] ?? []),
    ...Object.entries(EVENTS).map(([id, label]) => ({ id, label })),
  ]
  const found = named.find(({ id }) => step === id || step.startsWith(`${id}.`))
  if (found) return { step: found.label ?? { zh: found.id, en: found.id }, effect: step.slice(found.id.length + 1) }
  return { step: step === '' ? null : { zh: step, en: step }, effect: '' }
}
