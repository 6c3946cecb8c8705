import { sql } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import type { EntityAccess } from '../access'
import { textArray } from '../clause'
import type { Registry } from '../registry'
import type { EntityRecord } from '../calls'
import { auditViews } from '../write/audit'
import { AUDIT_ENTITY } from './changes'

interface View {
  record: EntityRecord
  fields: readonly string[]
  key: string
}

/** Readings of one day that are remembered; a busier day notes some twice. */
const MOST = 200_000

/**
 * Notes in the log who reads fields with `x-viewLogged` in clear: once a person, record and day, whichever gateways were asked, and before the answer leaves, so
 * that nothing is read unseen. What a list does not show by itself (`x-list`) counts only where the record is opened.
 */
export class SensitiveViews {
  private day = ''
  private readonly noted = new Set<string>()

  constructor(private readonly registry: Registry) {}

  async note(
    db: Executor,
    context: RequestContext,
    model: EntityModel,
    access: EntityAccess,
    rows: readonly EntityRecord[],
    how: 'opened' | 'listed',
  ): Promise<void> {
    if (context.kind === 'system') return
    const fields = loggedFields(model).filter(
      ({ name, field }) => access.readable(name) && (how === 'opened' || field['x-list'] === true),
    )
    if (fields.length === 0) return
    this.forgetYesterday(this.registry.dayOf(context.now))
    const views = rows.flatMap((record): View[] => {
      const read = fields.filter(({ name }) => (record[name] ?? '') !== '').map(({ name }) => name)
      const key = `${context.user.staffId} ${model.name} ${String(record.id)} ${how}`
      return read.length === 0 || this.noted.has(key) ? [] : [{ record, fields: read, key }]
    })
    if (views.length === 0) return
    for (const { key } of views) this.noted.add(key)
    try {
      await this.write(db, context, model, views)
    } catch (error) {
      for (const { key } of views) this.noted.delete(key)
      throw error
    }
  }

  /** One after the other over all gateways for a person and a kind of record: what two read at once is noted by one of them. */
  private async write(db: Executor, context: RequestContext, model: EntityModel, views: readonly View[]): Promise<void> {
    await db.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [`view ${model.name} ${context.user.staffId}`])
      await auditViews(this.registry, tx, context, model, await this.notYetWritten(tx, context, model, views))
    })
  }

  /** Without those that another gateway, or this one before it was started anew, wrote down today. */
  private async notYetWritten(
    db: Executor,
    context: RequestContext,
    model: EntityModel,
    views: readonly View[],
  ): Promise<readonly View[]> {
    const log = this.registry.find(AUDIT_ENTITY)
    if (!log) return []
    const { rows } = await db.query<{ recordId: string; fields: string[] }>(
      sql`select "record_id" as "recordId", array(select c ->> 'field' from jsonb_array_elements("changes") c) as fields from ${sql.identifier(log.table)}
          where "entity" = ${model.name} and "record_id" = any(${textArray(views.map(({ record }) => String(record.id)))})
            and "action" = 'view' and "staff_id" = ${context.user.staffId} and "at" >= ${this.day}::timestamp at time zone ${this.registry.timeZone}`,
    )
    return views.filter(
      ({ record, fields }) =>
        !rows.some((row) => row.recordId === record.id && fields.every((field) => row.fields.includes(field))),
    )
  }

  private forgetYesterday(day: string): void {
    if (day === this.day && this.noted.size < MOST) return
    this.day = day
    this.noted.clear()
  }
}

/** Fields whose readings are noted. */
export const loggedFields = (model: EntityModel): readonly FieldModel[] =>
  model.stored.filter(({ field, internal }) => field['x-viewLogged'] === true && !internal)
