import type { AggregateMeasure, QueryWhere } from '../../../src/schema/model'

/** By what a series is told apart: code of the dictionary ewDimension. */
export type Dimension =
  'customer' | 'account' | 'supplier' | 'channel' | 'country' | 'staff' | 'process' | 'currency' | 'warehouse' | 'product'

/** The field of a sample and of an alarm that holds the value of a dimension. */
export const FIELD_OF: Readonly<Record<Dimension, string>> = {
  customer: 'customerId',
  account: 'accountId',
  supplier: 'supplierId',
  channel: 'channelId',
  country: 'country',
  staff: 'staffId',
  process: 'processId',
  currency: 'currency',
  warehouse: 'warehouseId',
  product: 'productId',
}

export const isDimension = (name: string): name is Dimension => name in FIELD_OF

/** What is asked of the aggregate engine for an indicator, as data; an indicator without a source is not connected yet. */
export interface Source {
  entity: string
  /** The moment or day of a record by which a window counts it; without it the indicator is a present state. */
  time?: { field: string; day?: true }
  dimensions: Readonly<Partial<Record<Dimension, string>>>
  where?: (at: string) => readonly QueryWhere[]
  measures: readonly AggregateMeasure[]
  /** Which measures the value is made of: the first, divided by `per` if given, times `times`. */
  value: { of: readonly string[]; per?: string; times?: number; as?: 'minutesSince' | 'largest' }
  /** The measure that counts what the value rests on. */
  samples: string
}

const all: AggregateMeasure = { id: 'n', count: true }
const only = (field: string, operator: QueryOperator, value?: unknown): QueryWhere =>
  value === undefined ? { field, operator } : { field, operator, value }
type QueryOperator = 'eq' | 'in' | 'gte' | 'lte' | 'notEmpty'

const SMS = { entity: 'biz.smsRecord', time: { field: 'submittedAt' } } as const
const SMS_DIMENSIONS = {
  customer: 'customerId',
  account: 'accountId',
  channel: 'supplierAccountId',
  supplier: 'supplierId',
  country: 'country',
} as const
const CREDIT = { entity: 'fin.creditControl', dimensions: { customer: 'customerId', account: 'accountId' } } as const

/** By code of the built-in indicators whose records are there (money 11.2). Figures over facts are further entries. */
export const SOURCES: Readonly<Record<string, Source>> = {
  DLR_RATE: {
    ...SMS,
    dimensions: SMS_DIMENSIONS,
    measures: [
      { id: 'ended', count: true, where: [only('status', 'in', ['delivered', 'failed', 'expired'])] },
      { id: 'delivered', count: true, where: [only('status', 'eq', 'delivered')] },
    ],
    value: { of: ['delivered'], per: 'ended', times: 100 },
    samples: 'ended',
  },
  DLR_DELAY: {
    ...SMS,
    dimensions: SMS_DIMENSIONS,
    measures: [
      { id: 'median', median: 'latency' },
      { id: 'n', count: true, where: [only('latency', 'notEmpty')] },
    ],
    value: { of: ['median'] },
    samples: 'n',
  },
  SUBMIT_FAIL: {
    ...SMS,
    dimensions: SMS_DIMENSIONS,
    measures: [all, { id: 'rejected', count: true, where: [only('status', 'eq', 'rejected')] }],
    value: { of: ['rejected'], per: 'n', times: 100 },
    samples: 'n',
  },
  NO_TRAFFIC: {
    ...SMS,
    dimensions: SMS_DIMENSIONS,
    measures: [all, { id: 'last', max: 'submittedAt' }],
    value: { of: ['last'], as: 'minutesSince' },
    samples: 'n',
  },
  BALANCE_LOW: {
    ...CREDIT,
    where: () => [only('payMode', 'eq', 'prepaid'), only('warnAmount', 'gte', '0.01')],
    measures: [all, { id: 'available', sum: 'available' }, { id: 'warn', sum: 'warnAmount' }],
    value: { of: ['available'], per: 'warn' },
    samples: 'n',
  },
  SUPPLIER_DAYS: {
    entity: 'srm.supplierAccount',
    dimensions: { supplier: 'supplierId', channel: 'id' },
    where: () => [only('status', 'eq', 'active'), only('daysLeft', 'notEmpty')],
    measures: [all, { id: 'days', min: 'daysLeft' }],
    value: { of: ['days'] },
    samples: 'n',
  },
  USAGE_PCT: {
    ...CREDIT,
    where: () => [only('payMode', 'eq', 'postpaid'), only('limitEffective', 'gte', '0.01')],
    measures: [all, { id: 'used', sum: 'used' }, { id: 'limit', sum: 'limitEffective' }],
    value: { of: ['used'], per: 'limit', times: 100 },
    samples: 'n',
  },
  OVERDUE: {
    ...CREDIT,
    measures: [all, { id: 'days', max: 'overdueDays' }],
    value: { of: ['days'] },
    samples: 'n',
  },
  APPROVAL_SLOW: {
    entity: 'wf.task',
    dimensions: { process: 'processId', staff: 'assigneeId' },
    where: (at) => [only('status', 'eq', 'pending'), only('dueAt', 'lte', at)],
    measures: [all],
    value: { of: ['n'] },
    samples: 'n',
  },
  RECON_DIFF: {
    entity: 'fin.vosBalance',
    time: { field: 'day', day: true },
    dimensions: { account: 'accountId', channel: 'supplierAccountId' },
    measures: [all, { id: 'most', max: 'diffPct' }, { id: 'least', min: 'diffPct' }],
    value: { of: ['most', 'least'], as: 'largest' },
    samples: 'n',
  },
  KINGDEE_FAIL: {
    entity: 'fin.kingdeeDoc',
    dimensions: { customer: 'customerId', supplier: 'supplierId' },
    where: () => [only('status', 'eq', 'failed')],
    measures: [all],
    value: { of: ['n'] },
    samples: 'n',
  },
  RATE_JUMP: {
    entity: 'sys.exchangeRate',
    time: { field: 'date', day: true },
    dimensions: { currency: 'base' },
    where: () => [only('kind', 'eq', 'xe')],
    measures: [all, { id: 'most', max: 'jumpPct' }, { id: 'least', min: 'jumpPct' }],
    value: { of: ['most', 'least'], as: 'largest' },
    samples: 'n',
  },
  STOCK_LOW: {
    entity: 'srm.stock',
    dimensions: { warehouse: 'warehouseId', product: 'productId' },
    where: () => [only('alarm', 'eq', 'below')],
    measures: [all],
    value: { of: ['n'] },
    samples: 'n',
  },
  WORKORDER_LATE: {
    entity: 'ops.workOrder',
    dimensions: { customer: 'customerId', supplier: 'supplierId', staff: 'claimById' },
    where: (at) => [only('status', 'in', ['todo', 'claimed', 'handling']), only('slaDue', 'lte', at)],
    measures: [all],
    value: { of: ['n'] },
    samples: 'n',
  },
  DISK_JOBS: {
    entity: 'sys.outbox',
    dimensions: {},
    where: () => [only('status', 'in', ['waiting', 'running'])],
    measures: [all, { id: 'oldest', min: 'createdAt' }],
    value: { of: ['oldest'], as: 'minutesSince' },
    samples: 'n',
  },
}
