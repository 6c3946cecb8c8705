import type { FormField, ProcessDocument } from '../../../src/schema/generated/process'
import { rightsOf, startOf } from '../../../src/schema/process'
import { tableOf, type EntityEngine, type EntityRecord } from '../../entities'
import { addDays, type Day } from '../../platform/calendar'
import type { Executor } from '../../platform/database'

/** Records of the demo company that applications are about, each named once as long as there are others. */
export class DemoRecords {
  private readonly found = new Map<string, EntityRecord[]>()
  private readonly taken = new Map<string, number>()

  constructor(
    private readonly db: Executor,
    private readonly engine: EntityEngine,
  ) {}

  /** The next record of an entity, of the applicant's own where he has some; undefined where there is none. */
  async next(entity: string, applicantId: string): Promise<EntityRecord | undefined> {
    const all = this.found.get(entity) ?? (await this.read(entity))
    const own = all.filter((row) => row['ownerId'] === applicantId)
    const rows = own.length > 0 ? own : all
    if (rows.length === 0) return undefined
    const whose = own.length > 0 ? `${entity} ${applicantId}` : entity
    const index = this.taken.get(whose) ?? 0
    this.taken.set(whose, index + 1)
    return rows[index % rows.length]
  }

  private async read(entity: string): Promise<EntityRecord[]> {
    const known = this.engine.names().includes(entity)
    const customer = known && this.engine.model(entity).fields.has('customerId') ? ', customer_id as "customerId"' : ''
    const owner = known ? `, ${this.ownerOf(entity)} as "ownerId"` : ''
    const { rows } = known
      ? await this.db.query<EntityRecord>(
          `select id${customer}${owner} from ${tableOf(entity)} t where deleted_at is null order by id limit 1000`,
        )
      : { rows: [] }
    this.found.set(entity, rows)
    return rows
  }

  /** Who has a record `t`, or the one that it stands below. */
  private ownerOf(entity: string): string {
    const { fields, scope } = this.engine.model(entity)
    if (scope.kind === 'owned') return 'owner_id'
    const link = scope.kind === 'parent' ? fields.get(scope.field) : undefined
    const parent = link?.field['x-ref']
    if (!link || parent === undefined || this.engine.model(parent).scope.kind !== 'owned') return 'null'
    return `(select p.owner_id from ${tableOf(parent)} p where p.id = t.${link.column})`
  }
}

/** Days ahead that a last day lies, and a first one. */
const [LATER, SOON] = [60, 7]

/** What an applicant of the demo company fills in: every field that is typed and always shown. */
export async function demoValues(
  { form, nodes }: ProcessDocument,
  records: DemoRecords,
  engine: EntityEngine,
  { amount, today, applicantId }: { amount: string; today: Day; applicantId: string },
): Promise<EntityRecord> {
  const values: EntityRecord = {}
  const rights = rightsOf({ form, nodes }, startOf({ nodes })?.id ?? null)
  const valueOf = async (name: string, field: FormField): Promise<unknown> => {
    const { format, type } = field
    const entity = field['x-ref']
    if (entity !== undefined) {
      const record = await records.next(entity, applicantId)
      if (record?.['customerId'] && form.fields['customerId']) values['customerId'] = record['customerId']
      return type === 'array' ? (record ? [record['id']] : []) : record?.['id']
    }
    const dictionary = field['x-dictionary']
    if (dictionary !== undefined) {
      const code = field.default ?? engine.dictionaryChoices(dictionary)[0]?.code
      return type === 'array' ? [code].flat() : code
    }
    if (type === 'integer') return field.minimum ?? 30
    if (type === 'boolean') return false
    switch (format) {
      case 'date':
        return addDays(today, /to|until|end|by|before/i.test(name) ? LATER : SOON)
      case 'date-time':
        return new Date(Date.parse(`${addDays(today, SOON)}T04:00:00Z`)).toISOString()
      case 'money':
      case 'decimal':
        return amount
      case 'percent':
        return '5'
      case 'currency':
        return 'USD'
      case 'country':
        return 'SG'
      case 'text':
      case 'richText':
        return '客户本月业务量增长，现有条件不够，申请支持。'
      case undefined:
        return type === 'string' ? field['x-label'].zh : undefined
      default:
        return undefined
    }
  }
  const isTyped = (name: string, field: FormField): boolean =>
    field.value === undefined && field.visible === undefined && (rights[name] === 'E' || rights[name] === 'M')
  for (const [name, field] of Object.entries(form.fields)) {
    if (!isTyped(name, field) || values[name] !== undefined) continue
    if (!field.rows) {
      values[name] = (await valueOf(name, field)) ?? null
      continue
    }
    const row: EntityRecord = {}
    for (const [cell, inner] of Object.entries(field.rows.fields))
      if (inner.value === undefined && inner.visible === undefined) row[cell] = (await valueOf(cell, inner)) ?? null
    values[name] = [row]
  }
  return values
}
