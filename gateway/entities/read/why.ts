import { sql } from 'drizzle-orm'
import { referenceOf, type EntityModel } from '../../../src/schema/entity'
import type { RequestContext, Text } from '../../platform/http'
import type { EntityRecord, References, ToldCause } from '../calls'
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
  const doing = effectInWords(core, model, effect)
  const parts = [
    ...(step ? [say(step)] : []),
    ...(doing ? [say(doing)] : []),
    ...cause.rules.map(({ key, version }) => {
      const title = core.ruleTitle?.(key)
      const [zh, en] = [title?.zh ?? key, title?.en ?? key]
      return version === 0
        ? say({ zh: `规则“${zh}”（默认值）`, en: `rules "${en}" (defaults)` })
        : say({ zh: `规则“${zh}”第 ${version} 版`, en: `rules "${en}", version ${version}` })
    }),
  ]
  const text = parts.join(' · ')
  if (cause.entity === undefined) return { text }
  const found = titles[cause.entity]?.[cause.id]
  const others = found && cause.more > 0 ? say({ zh: `等 ${cause.more + 1} 条`, en: ` and ${cause.more} more` }) : ''
  const label = model?.label[locale] ?? cause.entity
  const open = found && core.detailPage?.(cause.entity)
  return {
    record: {
      entity: cause.entity,
      title: found ? `${label} ${found.title}${others}` : label,
      ...(open === undefined ? {} : { open: `${open}?id=${encodeURIComponent(cause.id)}` }),
    },
    text,
  }
}

interface KnownEffect {
  id: string
  do: string
  on?: { entity?: string; reference?: string }
  with?: EntityRecord
}

/** What an effect does, in words; nothing for one that the document does not have any more. */
function effectInWords(core: Core, model: EntityModel | undefined, id: string): Text | null {
  const effect = model && id !== '' ? effectIn(model.document, id) : undefined
  if (!model || !effect) return null
  const step = effect.on?.reference?.split('.').at(-1)
  const behind = step === undefined ? undefined : model.fields.get(step)
  const target =
    effect.on?.entity ?? (behind && referenceOf(behind)) ?? (effect.do === 'create' ? String(effect.with?.entity) : model.name)
  const { zh, en } = core.registry.find(target)?.label ?? model.label
  const thing = en.toLowerCase()
  switch (effect.do) {
    case 'set':
      return { zh: `更新${zh}`, en: `updates the ${thing}` }
    case 'create':
      return { zh: `新建${zh}`, en: `creates the ${thing}` }
    case 'transition':
      return { zh: `处理${zh}`, en: `moves the ${thing} on` }
    case 'notify':
      return { zh: '通知', en: 'tells people' }
    case 'close':
      return { zh: '关闭待办', en: 'closes to-dos' }
    case 'log':
      return { zh: '写入历史', en: 'writes the history' }
    default:
      return { zh: `联动处理${zh}`, en: `what follows for the ${thing}` }
  }
}

/** The effect of this id, wherever in a document it stands. */
function effectIn(value: unknown, id: string): KnownEffect | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id: own, do: verb } = value as Partial<KnownEffect>
  if (own === id && typeof verb === 'string') return value as KnownEffect
  for (const inner of Object.values(value)) {
    const found = effectIn(inner, id)
    if (found) return found
  }
  return undefined
}

const EVENTS: Readonly<Record<string, Text>> = {
  create: { zh: '新建', en: 'Create' },
  change: { zh: '修改', en: 'Change' },
  delete: { zh: '删除', en: 'Delete' },
}

const FOLLOWED: Text = { zh: '系统联动', en: 'What follows' }

/** `accept.items` as the transition (or deadline, or event) and its effect; ids may have dots themselves. */
function stepOf(model: EntityModel | undefined, step: string): { step: Text | null; effect: string } {
  const named: readonly { id: string; label?: Text | undefined }[] = [
    ...(model?.machines ?? []).flatMap(({ transitions }) => transitions),
    ...(model?.document['x-deadlines'] ?? []),
    ...Object.entries(EVENTS).map(([id, label]) => ({ id, label })),
  ]
  const found = named.find(({ id }) => step === id || step.startsWith(`${id}.`))
  if (found) return { step: found.label ?? FOLLOWED, effect: step.slice(found.id.length + 1) }
  // a step that the document does not have any more: its id says nothing to a reader
  return { step: step === '' ? null : FOLLOWED, effect: step }
}
