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

/** Days ahead that a last day lies, and a first one; days from a first moment to a last one. */
const [LATER, SOON, BETWEEN] = [60, 7, 3]

/** What people write where nothing is chosen, by the name of the field. */
const WRITTEN: Readonly<Record<string, string>> = {
  after: '【Switchboard】您的验证码为 482913',
  agreementNo: 'DC-2026-011',
  barredName: '启讯国际通信有限公司',
  before: '您的验证码为 482913',
  channel: '新加坡直连一号',
  competitor: '0.0315 USD',
  content: '您的验证码为 482913，五分钟内有效。',
  equipmentSupplier: '华北通信设备有限公司',
  item: '上月价格差额',
  lineReason: '现有设备容量已满',
  matchText: '验证码',
  model: 'GW-64',
  msgId: 'M20261117000123',
  number: '6591234567',
  payeeAccount: '6225880120467793',
  payeeBank: '招商银行深圳分行',
  payeeName: '海盟通讯有限公司',
  payeeSwift: 'CMBCCNBS',
  planTitle: '四季度网关设备采购',
  problem: '没有回执',
  product: '短信网关',
  remark: '按合同约定',
  ruleName: '验证码签名改写',
  senderPattern: '^SWB',
  suggestedSupplier: '华北通信设备有限公司',
  warehouse: '深圳仓',
}

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
        return new Date(
          Date.parse(`${addDays(today, /(^t|T)o$|expires/.test(name) ? SOON + BETWEEN : SOON)}T04:00:00Z`),
        ).toISOString()
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
        return type === 'string' ? (WRITTEN[name] ?? field['x-label'].zh) : undefined
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
