import { sql } from 'drizzle-orm'
import { referenceOf, type EntityModel } from '../../../src/schema/entity'
import { newId, type Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import { AUDIT_ENTITY, type FieldChange } from '../read/changes'
import { titleOf } from '../read/record'
import { ReferenceReader } from '../read/references'
import type { Registry } from '../registry'
import type { EntityRecord } from '../calls'
import { causeOf } from '../effects/cause'
import { differenceIn, isDifferent, mergeDifferences, changeOfLines } from '../lines/difference'
import { sameValue } from '../sameValue'
import { insertRow, insertRows } from './row'

/** Base fields say when and by whom; the audit row says that itself. */
const UNTOLD: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'version',
  'deletedAt',
  'deletedBy',
])

/** Fields whose stored value differs, before and after. */
function changesBetween(
  model: EntityModel,
  before: EntityRecord | null,
  after: EntityRecord | null,
  names: readonly string[] = model.stored.map(({ name }) => name),
): FieldChange[] {
  const changes: FieldChange[] = []
  for (const name of names) {
    if (UNTOLD.has(name) || model.fields.get(name)?.kept) continue
    const [old, now] = [before?.[name] ?? null, after?.[name] ?? null]
    if (!sameValue(old, now)) changes.push({ field: name, before: old, after: now })
  }
  return changes
}

interface AuditEntry {
  /** A code of the dictionary logAction. */
  action: 'create' | 'update' | 'delete' | 'restore' | 'state' | 'owner' | 'view' | 'export' | 'import'
  recordId: string | null
  recordTitle: string
  recordVersion?: number
  reason?: string
  changes: readonly FieldChange[]
}

/** Leaves an audit row in the transaction of the write. Without the audit entity there is nowhere to write it: nothing happens. */
export async function writeAudit(
  registry: Registry,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  entry: AuditEntry,
): Promise<void> {
  const log = auditLog(registry, model)
  if (log) await insertRow(db, context.locale, log, auditRow(db, context, model, entry))
}

/** Where writes to an entity are noted, if they are. */
function auditLog(registry: Registry, model: EntityModel): EntityModel | undefined {
  return model.audited ? registry.find(AUDIT_ENTITY) : undefined
}

function auditRow(db: Executor, context: RequestContext, model: EntityModel, entry: AuditEntry): EntityRecord {
  const at = context.now.toISOString()
  const staffId = context.user.staffId === '' ? null : context.user.staffId
  return {
    id: newId(),
    createdAt: at,
    updatedAt: at,
    createdBy: staffId,
    updatedBy: staffId,
    version: 1,
    at,
    staffId,
    action: entry.action,
    entity: model.name,
    recordId: entry.recordId,
    recordTitle: entry.recordTitle.slice(0, 250),
    recordVersion: entry.recordVersion ?? null,
    reason: entry.reason?.slice(0, 500) ?? null,
    changes: entry.changes,
    ip: context.ip === '' ? null : context.ip,
    traceId: context.traceId.slice(0, 40),
    cause: causeOf(db, context, entry.recordId === null ? null : { entity: model.name, recordId: entry.recordId }),
  }
}

/** Inserts many new records and their entries; the entries are made while the database writes the records. */
export async function insertAudited(
  registry: Registry,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  records: readonly EntityRecord[],
  reason?: string,
  further: (record: EntityRecord) => readonly FieldChange[] = () => [],
): Promise<void> {
  const log = auditLog(registry, model)
  const entries = async (): Promise<EntityRecord[]> => {
    const rows: EntityRecord[] = []
    for (const record of log ? records : []) {
      const entry = await writeEntry(registry, db, context, model, 'create', null, record, reason)
      rows.push(auditRow(db, context, model, { ...entry, changes: [...entry.changes, ...further(record)] }))
    }
    return rows
  }
  const [, rows] = await Promise.all([insertRows(db, context.locale, model, records), entries()])
  if (log) await insertRows(db, context.locale, log, rows)
}

/** A record before and after a write. */
export interface WrittenRecord {
  before: EntityRecord
  after: EntityRecord
  /** Why, where it is not the same for all. */
  reason?: string | undefined
}

/** The usual entries for the same change of many records, in one statement; only the named fields were read and may differ. */
export async function auditMany(
  registry: Registry,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  change: { action?: 'update' | 'state'; reason?: string; written: readonly WrittenRecord[]; fields?: readonly string[] },
): Promise<void> {
  const log = auditLog(registry, model)
  if (!log) return
  const titled = await plainTitles(
    registry,
    db,
    context,
    model,
    change.written.map(({ after }) => after),
  )
  const rows = change.written.map(({ before, after, reason = change.reason }, index) =>
    auditRow(db, context, model, {
      action: change.action ?? (after.deletedAt ? 'delete' : before.deletedAt ? 'restore' : 'update'),
      recordId: String(after.id),
      recordTitle: titled[index]!,
      recordVersion: Number(after.version),
      reason,
      changes: changesBetween(model, before, after, change.fields),
    }),
  )
  await insertRows(db, context.locale, log, rows)
}

/** An entry of its own for each record: a sentence of an effect. */
export async function writeLog(
  registry: Registry,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  entries: readonly { record: EntityRecord; text: string }[],
): Promise<void> {
  const log = auditLog(registry, model)
  if (!log) return
  const titles = await plainTitles(
    registry,
    db,
    context,
    model,
    entries.map(({ record }) => record),
  )
  const rows = entries.map(({ record, text }, index) =>
    auditRow(db, context, model, {
      action: 'update',
      recordId: String(record.id),
      recordTitle: titles[index]!,
      reason: text,
      changes: [],
    }),
  )
  await insertRows(db, context.locale, log, rows)
}

/** An entry a record for who read some of its fields; it is no version of the record. */
export async function auditViews(
  registry: Registry,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  views: readonly { record: EntityRecord; fields: readonly string[] }[],
): Promise<void> {
  const log = auditLog(registry, model)
  if (!log) return
  const rows: EntityRecord[] = []
  for (const { record, fields } of views)
    rows.push(
      auditRow(db, context, model, {
        action: 'view',
        recordId: String(record.id),
        recordTitle: await plainTitle(registry, db, context, model, record),
        changes: fields.map((field) => ({ field, before: null, after: null })),
      }),
    )
  await insertRows(db, context.locale, log, rows)
}

/** The usual entry for a write to one record. */
export async function auditWrite(
  registry: Registry,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  action: AuditEntry['action'],
  before: EntityRecord | null,
  after: EntityRecord,
  reason?: string,
  further: readonly FieldChange[] = [],
): Promise<void> {
  const entry = await writeEntry(registry, db, context, model, action, before, after, reason)
  await writeAudit(registry, db, context, model, { ...entry, changes: [...entry.changes, ...further] })
}

async function writeEntry(
  registry: Registry,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  action: AuditEntry['action'],
  before: EntityRecord | null,
  after: EntityRecord,
  reason?: string,
): Promise<AuditEntry> {
  return {
    action,
    recordId: after.id as string,
    recordTitle: await plainTitle(registry, db, context, model, after),
    recordVersion: after.version as number,
    reason,
    changes: changesBetween(model, before, action === 'delete' ? null : after),
  }
}

/** The title as its writer sees it; a title that is itself a reference is the title of what it refers to. */
async function plainTitle(
  registry: Registry,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  record: EntityRecord,
): Promise<string> {
  const [title] = await plainTitles(registry, db, context, model, [record])
  return title!
}

/** The titles of many records; those of what they refer to are read at once. */
async function plainTitles(
  registry: Registry,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  records: readonly EntityRecord[],
): Promise<string[]> {
  const field = model.title ? undefined : model.fields.get(model.titleField)
  const target = field && referenceOf(field)
  const ids = new Set(records.map((record) => record[model.titleField]).filter((id) => typeof id === 'string'))
  if (target === undefined || ids.size === 0 || !registry.find(target))
    return records.map((record) => titleOf(registry, context, model, record))
  const titles = await new ReferenceReader(registry).titles(db, context, new Map([[target, ids]]))
  return records.map((record) => titleOf(registry, context, model, record, (entity, key) => titles[entity]?.[key]?.title))
}

/** What others changed in a record since a version, merged by field; by whom and when last. */
export async function changesSince(
  registry: Registry,
  db: Executor,
  model: EntityModel,
  id: string,
  version: number,
): Promise<{ changes: FieldChange[]; by: string | null; at: string | null }> {
  const log = registry.find(AUDIT_ENTITY)
  if (!log?.fields.has('recordVersion')) return { changes: [], by: null, at: null }
  const { rows } = await db.query<{ changes: FieldChange[] | null; staffId: string | null; at: string }>(
    sql`select "changes", "staff_id" as "staffId", "at" from ${sql.identifier(log.table)} where "entity" = ${model.name} and "record_id" = ${id} and "record_version" > ${version} order by "record_version", "id"`,
  )
  const merged = new Map<string, FieldChange>()
  const lines = new Set(model.lines.map(({ name }) => name))
  for (const row of rows) {
    for (const change of row.changes ?? []) {
      const earlier = merged.get(change.field)
      if (earlier && lines.has(change.field))
        merged.set(change.field, changeOfLines(change.field, mergeDifferences(differenceIn(earlier), differenceIn(change))))
      else merged.set(change.field, { ...change, before: earlier ? earlier.before : change.before })
    }
  }
  const last = rows.at(-1)
  return {
    changes: [...merged.values()].filter((change) =>
      lines.has(change.field) ? isDifferent(differenceIn(change)) : !sameValue(change.before, change.after),
    ),
    by: last?.staffId ?? null,
    at: last?.at ?? null,
  }
}
