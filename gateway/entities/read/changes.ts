import { MASK, maskValue, referenceOf, type EntityModel } from '../../../src/schema/entity'
import type { RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import type { Registry } from '../registry'
import type { EntityRecord, LinesInWords } from '../calls'

/** The entity whose table is the audit log. */
export const AUDIT_ENTITY = 'sys.auditLog'

/** What happened to one field. */
export interface FieldChange {
  field: string
  before: unknown
  after: unknown
  /** Of lines: those that stayed stand in another order. */
  moved?: true
  /** Of lines: how many more differ than are told. */
  more?: number
}

/** A change as its reader may see it; of lines in words. */
type ToldChange = FieldChange & { lines?: LinesInWords }

/** Nothing to a reader, however it is kept: no value, an empty text, list or object. */
function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Changes as their reader may see them: masked where he sees the field masked, without hidden and internal ones. */
export function toldChanges(
  context: RequestContext,
  model: EntityModel,
  changes: readonly FieldChange[] | null,
  words?: { of(change: FieldChange): LinesInWords | undefined },
): ToldChange[] {
  const access = accessOf(model, context)
  return (changes ?? []).flatMap((change): ToldChange[] => {
    if (model.fields.get(change.field)?.storage === 'lines') {
      const lines = words?.of(change)
      return lines ? [{ field: change.field, before: null, after: null, lines }] : []
    }
    const field = model.fields.get(change.field)
    if (isNothing(change.before) && isNothing(change.after)) return []
    if (!field || access.of(field.name) === 'hide') return []
    if (access.readable(field.name)) return [change]
    return [{ field: change.field, before: maskValue(field.kind, change.before), after: maskValue(field.kind, change.after) }]
  })
}

/** Whether a title as it was written down may be read: what it is made of, also where it is the title of what it refers to. */
export function titleReadable(registry: Registry, context: RequestContext, model: EntityModel): boolean {
  if (!model.titleFields.every((name) => accessOf(model, context).readable(name))) return false
  const field = model.title ? undefined : model.fields.get(model.titleField)
  const target = registry.find((field && referenceOf(field)) ?? '')
  return !target || target.titleFields.every((name) => accessOf(target, context).readable(name))
}

/** Entities whose titles the audit log masks for the caller: he may not find rows by them either. */
export const maskedTitles = (registry: Registry, context: RequestContext): readonly string[] =>
  context.kind === 'system'
    ? []
    : registry.all().flatMap((model) => (titleReadable(registry, context, model) ? [] : [model.name]))

/** Rows of the audit log itself: each with the field rules of the entity that it speaks of. */
export function tellAuditRows(registry: Registry, context: RequestContext, rows: readonly EntityRecord[]): void {
  if (context.kind === 'system') return
  for (const row of rows) {
    const model = typeof row.entity === 'string' ? registry.find(row.entity) : undefined
    // the title was written down as it was: it is the name of the record for whoever may read what it is made of
    if (model && row.action === 'export') tellExport(context, model, row)
    else if (model && !titleReadable(registry, context, model)) row.recordTitle = row.recordId ?? MASK
    if (!Array.isArray(row.changes) || row.action === 'export') continue
    row.changes = model ? toldChanges(context, model, row.changes as FieldChange[]) : []
  }
}

/** An export is told in the language of its reader: what was taken, how many rows, in which format. */
function tellExport({ locale }: RequestContext, model: EntityModel, row: EntityRecord): void {
  row.recordTitle = model.label[locale]
  const told = new Map(
    (Array.isArray(row.changes) ? (row.changes as FieldChange[]) : []).map(({ field, after }) => [field, after]),
  )
  const [count, format] = [told.get('rows'), told.get('format')]
  if (typeof count !== 'number' || typeof format !== 'string') return
  const number = count.toLocaleString('en')
  row.reason = locale === 'zh' ? `${number} 行，${format}` : `${number} ${count === 1 ? 'row' : 'rows'}, ${format}`
}
