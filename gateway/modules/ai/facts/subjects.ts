import type { BilingualText } from '../../../../src/schema/problem'
import type { AggregateMeasure, FieldKind, QueryWhere } from '../../../../src/schema/model'
import type { EntityEngine } from '../../../entities'
import type { SchemaRegistry } from '../../../pages'

/** A figure that people ask for by words of their own. */
export interface Measure {
  id: string
  label: BilingualText
  words: string
  /** Fields that have to be readable. */
  reads: readonly string[]
  kind: 'money' | 'number' | 'percent'
  /** People ask for it by words of its own, not only by the label of a field. */
  seeded?: boolean
  /** What the aggregate call is asked; the one that is told has the id of the measure. */
  ask: readonly AggregateMeasure[]
}

/** What can be asked about: rows of a list, with the words for them. */
export interface Subject {
  id: string
  entity: string
  label: BilingualText
  words: string
  /** The list that shows its rows, and the tab that has them all. */
  page: string
  tab?: string | undefined
  path: string
  permission?: string | undefined
  where: readonly QueryWhere[]
  /** The day of a row. */
  day: string
  /** Other days, by a code of a state that a question names. */
  days?: Readonly<Record<string, string>>
  /** Whose a row is. */
  staff?: string | undefined
  measures: readonly Measure[]
  /** Counts the rows without the conditions of the tab that shows most of them. */
  whole?: boolean
  /** Worth more than what is found by its label alone. */
  curated: boolean
  /** Rows are told newest or most urgent first. */
  sort?: { field: string; order: 'asc' | 'desc' }
}

const USD = { currency: 'convert:USD' } as const
const money = (id: string, field: string, label: BilingualText, words: string, day: string): Measure => ({
  ...{ id, label, words, reads: [field], kind: 'money' },
  ask: [
    { id, sum: field, ...USD, day },
    { id: `${id}By`, sum: field },
  ],
})
const count = (id: string, field: string, label: BilingualText, words: string): Measure => ({
  ...{ id, label, words, reads: [field], kind: 'number', ask: [{ id, sum: field }] },
})

const TRAFFIC: readonly Measure[] = [
  money(
    'revenue',
    'revenue',
    { zh: '收入', en: 'revenue' },
    '收入,营收,营业额,销售额,业绩,流水,销售收入,revenue,sales,turnover,income,sales volume,earnings,performance',
    'day',
  ),
  money('cost', 'cost', { zh: '成本', en: 'cost' }, '成本,花费,采购成本,cost,spend,expense', 'day'),
  {
    ...{
      id: 'profit',
      label: { zh: '利润', en: 'profit' },
      words: '利润,毛利,盈利,赚了,赚,profit,gross profit,earned',
      reads: ['revenue', 'cost'],
      kind: 'money',
    },
    ask: [
      { id: 'revenueUsd', sum: 'revenue', ...USD, day: 'day' },
      { id: 'costUsd', sum: 'cost', ...USD, day: 'day' },
      { id: 'profit', difference: ['revenueUsd', 'costUsd'] },
    ],
  },
  {
    ...{
      id: 'margin',
      label: { zh: '毛利率', en: 'margin' },
      words: '毛利率,利润率,margin,gross margin,profit margin',
      reads: ['revenue', 'cost'],
      kind: 'percent',
    },
    ask: [
      { id: 'revenueUsd', sum: 'revenue', ...USD, day: 'day' },
      { id: 'costUsd', sum: 'cost', ...USD, day: 'day' },
      { id: 'profitUsd', difference: ['revenueUsd', 'costUsd'] },
      { id: 'margin', ratio: ['profitUsd', 'revenueUsd'] },
    ],
  },
  count(
    'sent',
    'sent',
    { zh: '发送量', en: 'messages sent' },
    '发送量,发量,业务量,流量,用量,发了多少,发送了多少,话务量,messages sent,sent,traffic,volume,messages',
  ),
  count('submitted', 'submitted', { zh: '提交量', en: 'submitted' }, '提交量,submitted'),
  count('delivered', 'delivered', { zh: '送达量', en: 'delivered' }, '送达量,到达量,接通量,delivered,answered'),
  count('failed', 'failed', { zh: '失败量', en: 'failed' }, '失败量,失败数,失败,发送失败,failed,failures'),
  count('units', 'units', { zh: '计费量', en: 'billed units' }, '计费量,计费条数,billed units'),
  {
    ...{
      id: 'rate',
      label: { zh: '送达率', en: 'delivery rate' },
      words: '送达率,到达率,接通率,成功率,delivery rate,success rate,answer rate',
      reads: ['sent', 'delivered'],
      kind: 'percent',
    },
    ask: [
      { id: 'sent', sum: 'sent' },
      { id: 'delivered', sum: 'delivered' },
      { id: 'rate', ratio: ['delivered', 'sent'] },
    ],
  },
]

type Seed = Pick<Subject, 'entity' | 'page' | 'words' | 'day'> &
  Partial<Pick<Subject, 'id' | 'tab' | 'staff' | 'measures' | 'days' | 'where' | 'sort' | 'whole'>>
const eq = (field: string, value: unknown): QueryWhere => ({ field, operator: 'eq', value })

const SEEDS: readonly Seed[] = [
  {
    id: 'todo',
    entity: 'sys.todo',
    page: 'crm/today',
    words: '待办,待办事项,to-do,todo,task',
    day: 'dueAt',
    where: [eq('status', 'open')],
    sort: { field: 'dueAt', order: 'asc' },
  },
  {
    id: 'traffic',
    entity: 'rpt.trafficDay',
    page: 'rpt/traffic-days',
    words: '业务数据,经营数据',
    day: 'day',
    staff: 'ownerId',
    measures: TRAFFIC,
  },
  {
    entity: 'crm.customer',
    page: 'crm/my-client',
    tab: 'visible',
    words: '客户,客户数,顾客,customer,client',
    day: 'createdAt',
    staff: 'ownerId',
    where: [{ field: 'voided', operator: 'ne', value: true }],
    whole: true,
  },
  {
    id: 'sea',
    entity: 'crm.customer',
    page: 'crm/open-sea',
    words: '公海客户,公海里的客户,公海,open sea customer,customers in the open sea',
    day: 'seaEnteredAt',
  },
  {
    entity: 'crm.opportunity',
    page: 'crm/opportunities',
    tab: 'all',
    words: '商机,机会,opportunity,deal',
    day: 'createdAt',
    days: { won: 'wonAt', lost: 'lostAt' },
    staff: 'ownerId',
    measures: [
      money(
        'amount',
        'amount',
        { zh: '预计月收入', en: 'expected monthly revenue' },
        '金额,预计月收入,预计收入,amount,value,worth',
        'createdAt',
      ),
      money('weighted', 'weighted', { zh: '加权金额', en: 'weighted amount' }, '加权金额,加权,weighted', 'createdAt'),
    ],
  },
  {
    entity: 'fin.bill',
    page: 'fin/customer-bills',
    tab: 'all',
    words: '账单,客户账单,bill,invoice',
    day: 'issuedAt',
    sort: { field: 'dueDate', order: 'asc' },
    measures: [
      money(
        'openAmount',
        'openAmount',
        { zh: '未收金额', en: 'open amount' },
        '未收,未收金额,应收,应收款,应收账款,欠款,欠费,欠了,欠我们,待收,逾期金额,未付金额,open amount,outstanding,receivable,owe,unpaid amount,overdue amount',
        'issuedAt',
      ),
      money(
        'total',
        'total',
        { zh: '账单金额', en: 'billed amount' },
        '账单金额,账单总额,出账金额,billed amount,bill total,billed',
        'issuedAt',
      ),
      money(
        'paidAmount',
        'paidAmount',
        { zh: '已收金额', en: 'paid amount' },
        '已收,已收金额,已付金额,回款金额,paid amount,collected',
        'issuedAt',
      ),
    ],
  },
  {
    entity: 'fin.customerAccount',
    page: 'fin/customer-accounts',
    tab: 'all',
    words: '客户账户,账户,customer account,account',
    day: 'openedAt',
  },
  {
    entity: 'qm.supplierRate',
    page: 'qm/supplier-quote-sms',
    tab: 'current',
    words: '供应商报价,供应商费率,供应商价格,成本价,采购价,supplier rate,supplier price,supplier quote',
    day: 'effectiveFrom',
  },
  {
    entity: 'srm.supplier',
    page: 'srm/supplier-management',
    tab: 'all',
    words: '供应商,supplier,vendor',
    day: 'createdAt',
    staff: 'ownerId',
  },
  { entity: 'csc.clue', page: 'crm/leads', tab: 'visible', words: '线索,客户线索,lead', day: 'createdAt', staff: 'ownerId' },
  {
    entity: 'crm.visit',
    page: 'crm/visiting-records',
    tab: 'all',
    words: '拜访,拜访记录,visit',
    day: 'plannedAt',
    staff: 'createdBy',
  },
  {
    entity: 'ew.alarm',
    page: 'ew/alarms',
    tab: 'all',
    words: '告警,报警,预警,alarm,alert',
    day: 'firstAt',
    sort: { field: 'firstAt', order: 'desc' },
  },
  {
    id: 'approvals',
    entity: 'wf.task',
    page: 'wf/my-agent',
    tab: 'all',
    words: '待办审批,待审批,待我审批,审批,要审批,等我审批,approval,approvals waiting,to approve,waiting for me to approve',
    day: 'arrivedAt',
    sort: { field: 'arrivedAt', order: 'asc' },
  },
  {
    id: 'applications',
    entity: 'wf.instance',
    page: 'wf/my-initiate',
    tab: 'all',
    words: '我发起的申请,我的申请,发起的申请,提交的申请,我发起的审批,my application,application',
    day: 'createdAt',
  },
  {
    entity: 'sys.message',
    page: 'mail/notification',
    tab: 'all',
    words: '消息,通知,未读消息,message,notification,unread message,unread',
    day: 'createdAt',
  },
  { entity: 'fin.contract', page: 'fin/contracts', tab: 'all', words: '合同,contract', day: 'createdAt' },
  { entity: 'fin.payment', page: 'fin/payments', tab: 'all', words: '付款单,付款,payment', day: 'createdAt' },
  { entity: 'fin.recharge', page: 'fin/customer-recharges', words: '充值,充值单,recharge,top-up', day: 'payDate' },
  {
    entity: 'fin.unclaimedReceipt',
    page: 'fin/unclaimed-receipts',
    tab: 'all',
    words: '待认领来款,来款,unclaimed receipt',
    day: 'createdAt',
  },
  { entity: 'biz.channel', page: 'biz/channel-info', words: '通道,短信通道,channel', day: 'createdAt' },
  { entity: 'biz.numberAsset', page: 'biz/numbers', tab: 'all', words: '号码资源,号码,numbers,number', day: 'createdAt' },
  {
    entity: 'srm.purchaseOrder',
    page: 'srm/purchase-orders',
    tab: 'all',
    words: '采购订单,采购单,purchase order',
    day: 'orderDate',
    staff: 'applicantId',
  },
  {
    entity: 'sys.staff',
    page: 'sys/user',
    words: '员工,同事,人员,staff,employee,colleague',
    day: 'hiredOn',
    where: [eq('status', 'active')],
  },
]

const SUFFIX = /(?:管理|查询|列表|记录|明细)$/
const NUMERIC: readonly FieldKind[] = ['money', 'integer', 'decimal']

/** Figures of the numeric fields of an entity, by their labels. */
function fieldMeasures(engine: EntityEngine, entity: string, day: string, known: readonly Measure[]): Measure[] {
  const taken = new Set(known.flatMap(({ reads }) => reads))
  return engine.model(entity).stored.flatMap((field): Measure[] => {
    if (field.internal || taken.has(field.name) || !NUMERIC.includes(field.kind) || field.origin !== 'own') return []
    const { zh, en } = field.label
    const label = { zh, en: en.toLowerCase() }
    const words = `${zh},${en}`
    if (field.kind === 'money') return [money(field.name, field.name, label, words, day)]
    return [count(field.name, field.name, label, words)]
  })
}

/** Everything that can be asked about: the seeds, then the lists that no seed stands for. */
export function subjectsOf(engine: EntityEngine, schemas: SchemaRegistry): Subject[] {
  const routes = new Map(schemas.routes.routes.map((route) => [route.page, route]))
  const there = new Set(engine.names())
  const seeded = SEEDS.flatMap((seed): Subject[] => {
    const document = schemas.page(seed.page)?.document
    const route = routes.get(seed.page)
    const listed = document?.kind === 'list' || seed.id === 'todo'
    if (!there.has(seed.entity) || !listed || document?.path === undefined) return []
    const { id = seed.entity, where = [], ...rest } = seed
    const measures = (seed.measures ?? []).map((measure) => ({ ...measure, seeded: true }))
    const own = { path: document.path, permission: route?.permission, where, curated: true, label: labelOf(engine, seed) }
    return [{ ...rest, ...own, id, measures: [...measures, ...fieldMeasures(engine, seed.entity, seed.day, measures)] }]
  })
  const pages = new Set(SEEDS.map(({ page }) => page))
  const further = schemas.pages.flatMap(({ name, document }): Subject[] => {
    if (document.kind !== 'list' || document.path === undefined || pages.has(name) || !there.has(document.entity)) return []
    if (/\{\{/.test(JSON.stringify([document.where ?? [], document.views?.at(-1)?.where ?? []]))) return []
    const route = routes.get(name)
    const title = document.title ?? route?.title
    if (!route || !title) return []
    const model = engine.model(document.entity)
    const firstOnly = !SEEDS.some(({ entity }) => entity === document.entity)
    const words = [title.zh, title.zh.replace(SUFFIX, ''), title.en, ...(firstOnly ? [model.label.zh, model.label.en] : [])]
    const day = document.sort?.[0]?.field ?? model.document['x-sort']?.[0]?.field ?? 'createdAt'
    const kind = model.fields.get(day)?.kind
    const when = kind === 'date' || kind === 'dateTime' ? day : 'createdAt'
    const tab = document.views?.find(({ id }) => id === 'all')?.id
    return [
      {
        ...{ id: name, entity: document.entity, page: name, label: title, words: words.join(','), path: document.path, tab },
        ...{
          permission: route.permission,
          day: when,
          curated: false,
          where: tab === undefined ? ((document.where ?? []) as QueryWhere[]) : [],
        },
        ...{ staff: model.scope.kind === 'owned' ? 'ownerId' : undefined },
        measures: fieldMeasures(engine, document.entity, when, []),
      },
    ]
  })
  return [...seeded, ...further]
}

function labelOf(engine: EntityEngine, { id, entity }: Seed): BilingualText {
  const named: Readonly<Record<string, BilingualText>> = {
    traffic: { zh: '业务数据', en: 'traffic' },
    todo: { zh: '待办', en: 'to-do' },
    sea: { zh: '公海客户', en: 'customers in the open sea' },
    approvals: { zh: '待审批', en: 'approvals waiting for you' },
    applications: { zh: '您发起的申请', en: 'applications of yours' },
  }
  const label = engine.model(entity).label
  return named[id ?? ''] ?? { zh: label.zh, en: label.en.toLowerCase() }
}
