import { compilePage, type CompileBundle, type CompileContext } from '../../../../src/schema'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { PageDocument } from '../../../../src/schema/generated/page'
import type { DetailModel, FormModel, ListModel, PageModel, ReportModel } from '../../../../src/schema/model'

const text = (zh: string, en: string) => ({ zh, en })

export const supplier: EntityDocument = {
  formatVersion: 3,
  name: 'demo.supplier',
  label: text('供应商', 'Supplier'),
  titleField: 'name',
  type: 'object',
  properties: {
    name: { type: 'string', 'x-label': text('供应商名称', 'Supplier name') },
    code: { type: 'string', 'x-label': text('供应商编码', 'Supplier code') },
  },
  'x-path': '/v2/demo/vendors',
}

export const order: EntityDocument = {
  formatVersion: 3,
  name: 'demo.order',
  label: text('订单', 'Order'),
  titleField: 'code',
  type: 'object',
  properties: {
    code: { type: 'string', 'x-sequence': 'OR{yy}{n:5}', 'x-label': text('编码', 'Code'), 'x-list': true, 'x-search': true },
    name: {
      type: 'string',
      maxLength: 100,
      'x-label': text('名称', 'Name'),
      'x-list': true,
      'x-search': true,
      'x-help': text('按合同', 'As in the contract'),
    },
    status: {
      type: 'string',
      'x-dictionary': 'orderStatus',
      'x-label': text('状态', 'Status'),
      'x-list': true,
      'x-filter': true,
      default: 'open',
    },
    amount: {
      type: 'string',
      format: 'money',
      'x-money': 'currency',
      'x-label': text('金额', 'Amount'),
      'x-list': true,
      'x-width': 140,
    },
    currency: { type: 'string', format: 'currency', 'x-label': text('币种', 'Currency'), 'x-immutable': true },
    supplierId: {
      type: 'string',
      'x-ref': 'demo.supplier',
      'x-refFilter': [
        { field: 'code', operator: 'in', value: ['a', 'b'] },
        { field: 'currency', operator: 'eq', value: '{{ currency }}' },
        { field: 'buyerId', value: '{{ user.staffId }}' },
      ],
      'x-label': text('供应商', 'Supplier'),
      'x-filter': true,
    },
    dueOn: { type: 'string', format: 'date', 'x-label': text('到期日', 'Due on'), default: '{{ today }}' },
    lateDays: {
      type: 'integer',
      'x-derived': { value: '{{ dueOn ? days(dueOn, today) : 0 }}' },
      'x-unit': text('天', 'days'),
      'x-label': text('逾期天数', 'Days late'),
      'x-filter': true,
    },
    matchKey: { type: 'string', 'x-internal': true, 'x-label': text('查重键', 'Match key') },
    oldNote: { type: 'string', 'x-retired': true, 'x-list': true, 'x-label': text('旧备注', 'Old note') },
    files: { type: 'array', items: { type: 'object', format: 'file' }, 'x-label': text('附件', 'Files') },
  },
  required: ['name', 'code'],
  'x-scope': 'owned',
  'x-permissions': { add: 'demo:order:add', edit: 'demo:order:edit', delete: 'demo:order:delete', export: 'demo:order:export' },
  'x-views': [{ id: 'mine', scope: 'own' }],
  'x-states': [
    {
      field: 'status',
      initial: 'open',
      transitions: [
        {
          id: 'close',
          label: text('关闭', 'Close'),
          from: ['open'],
          to: 'closed',
          permission: 'demo:order:close',
          danger: true,
          confirm: text('关闭后不能修改。', 'It cannot be changed afterwards.'),
          refuse: [
            { id: 'noAmount', when: '{{ amount === null }}', message: text('没有金额', 'It has no amount') },
            { id: 'behind', when: "{{ supplierId.code !== 'a' }}", message: text('供应商不符', 'Another supplier') },
            { id: 'large', when: "{{ amount > '9000' }}", message: text('金额过大', 'It is too large') },
          ],
          required: ['reason'],
          inputs: { reason: { type: 'string', 'x-label': text('原因', 'Reason') } },
        },
      ],
    },
  ],
}

const orderStatus: DictionaryDocument = {
  formatVersion: 3,
  name: 'orderStatus',
  label: text('订单状态', 'Order status'),
  items: [
    { code: 'open', label: text('进行中', 'Open'), color: 'blue' },
    { code: 'closed', label: text('已关闭', 'Closed') },
    { code: 'old', label: text('旧', 'Old'), retired: true },
  ],
}

let revision = 0

/** A bundle with a revision of its own, so that no other test's model is remembered for it. */
export const bundleOf = (page: PageDocument): CompileBundle => ({
  page,
  where: 'schemas/demo/pages/test.json',
  revision: `test-${(revision += 1)}`,
  entities: { 'demo.order': order, 'demo.supplier': supplier },
  dictionaries: { orderStatus },
})

export const everything = { has: () => true }

export const contextOf = (more: Partial<CompileContext> = {}): CompileContext => ({
  locale: 'en',
  permissions: everything,
  companyTimeZone: 'Asia/Shanghai',
  ...more,
})

/** Compiles and expects a model. */
export const modelOf = (page: PageDocument, more: Partial<CompileContext> = {}): PageModel => {
  const result = compilePage(bundleOf(page), contextOf(more))
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.model
}

/** `rest: false`: only what the page itself names. */
const head = { formatVersion: 3, title: text('订单', 'Orders'), path: '/demo/orders', rest: false } as const

export const list = (page: object = {}, more: Partial<CompileContext> = {}): ListModel =>
  modelOf({ ...head, kind: 'list', entity: 'demo.order', ...page } as PageDocument, more) as ListModel
export const detail = (page: object = {}, more: Partial<CompileContext> = {}): DetailModel =>
  modelOf({ ...head, kind: 'detail', entity: 'demo.order', ...page } as PageDocument, more) as DetailModel
export const form = (properties: object, page: object = {}, more: Partial<CompileContext> = {}): FormModel =>
  modelOf(
    { ...head, kind: 'form', entity: 'demo.order', schema: { type: 'object', properties }, ...page } as PageDocument,
    more,
  ) as FormModel
export const report = (page: object, more: Partial<CompileContext> = {}): ReportModel =>
  modelOf(
    { ...head, kind: 'report', rest: undefined, source: 'POST /v2/demo/report', blocks: [], ...page } as PageDocument,
    more,
  ) as ReportModel
