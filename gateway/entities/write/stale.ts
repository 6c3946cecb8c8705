import type { WriteContext } from '../core'
import { formatOf, ready } from '../../../src/schema/formats'
import type { FieldModel } from '../../../src/schema/entity'
import { ServiceError, type RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import { LineWords } from '../lines/words'
import type { Core } from '../core'
import { formatContext } from '../formatContext'
import { shown } from '../read/record'
import type { EntityRecord, References } from '../calls'
import { changesSince } from './audit'

/** 10010006 with what changed in between, as the caller may see it: by name and in words, for forms that do not hold the field. */
export async function stale(
  { core, tx, context, model }: WriteContext,
  row: EntityRecord,
  version: number,
): Promise<ServiceError> {
  const since = await changesSince(core.registry, tx, model, row.id as string, version)
  const { by, at } = since
  const access = accessOf(model, context)
  const words = new LineWords(core, context, model)
  await words.prepare(tx, since.changes)
  const lines = since.changes.flatMap((change) => {
    const told = words.of(change)
    const label = model.fields.get(change.field)?.label[context.locale]
    return told ? [{ field: change.field, label, before: null, after: null, lines: told }] : []
  })
  const changes = since.changes.filter(({ field }) => model.fields.get(field)?.storage !== 'lines')
  const seen = changes.flatMap((change) => {
    const field = model.fields.get(change.field)
    return field && !field.internal && access.of(field.name) !== 'hide' ? [{ ...change, field }] : []
  })
  const names = new Set(seen.map(({ field }) => field.name))
  const before = shown(model, access, Object.fromEntries(seen.map((change) => [change.field.name, change.before])), names)
  const after = shown(model, access, Object.fromEntries(seen.map((change) => [change.field.name, change.after])), names)
  const refs = await core.references.of(tx, context, model, [after])
  await ready(...seen.map(({ field }) => field.kind))
  const staffId = by ?? (row.updatedBy as string | null)
  const titles =
    staffId === null || !core.registry.find('sys.staff')
      ? {}
      : await core.references.titles(tx, context, new Map([['sys.staff', new Set([staffId])]]))
  return new ServiceError('stale', {
    data: {
      version: row.version,
      changes: [
        ...lines,
        ...seen.map(({ field }) => ({
          field: field.name,
          label: field.field['x-label'][context.locale],
          before: before[field.name],
          after: after[field.name],
          ...inWords(core, context, field, { ...row, ...after }, refs, access.readable(field.name)),
        })),
      ],
      by: staffId === null ? null : (titles['sys.staff']?.[staffId]?.title ?? staffId),
      at: at ?? row.updatedAt,
    },
  })
}

/** The value in words. A moment stays one, because only the browser knows its zone; a structure has no words. */
function inWords(
  core: Core,
  context: RequestContext,
  field: FieldModel,
  record: EntityRecord,
  refs: References,
  clear: boolean,
): { text?: string } {
  const value = record[field.name]
  if (field.kind === 'dateTime' || field.kind === 'json') return {}
  if (!clear) return { text: typeof value === 'string' ? value : '' }
  return { text: formatOf(field.kind).show(value, field.field, { ...formatContext(core, context, refs), record }) }
}
