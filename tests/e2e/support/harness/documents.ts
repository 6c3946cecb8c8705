import type { PageBundle } from '../../../../src/headless/host'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { PageDocument } from '../../../../src/schema/generated/page'

/** One small entity and its pages: enough for every behaviour of lists and details. */
const level: DictionaryDocument = {
  formatVersion: 3,
  name: 'level',
  label: { zh: '等级', en: 'Level' },
  items: [
    { code: 'A', label: { zh: '重点', en: 'Key account' }, color: 'gold' },
    { code: 'B', label: { zh: '普通', en: 'Regular' }, color: 'blue' },
    { code: 'C', label: { zh: '观察', en: 'Watched' }, color: 'red' },
  ],
} as DictionaryDocument

const customer = {
  formatVersion: 3,
  name: 'test.customer',
  label: { zh: '客户', en: 'Customer' },
  titleField: 'name',
  type: 'object',
  properties: {
    code: { type: 'string', 'x-label': { zh: '编码', en: 'Code' }, readOnly: true, 'x-search': true },
    name: { type: 'string', minLength: 2, 'x-label': { zh: '名称', en: 'Name' }, 'x-search': true },
    level: { type: 'string', 'x-dictionary': 'level', 'x-label': { zh: '等级', en: 'Level' } },
    city: { type: 'string', 'x-label': { zh: '城市', en: 'City' } },
    country: { type: 'string', format: 'country', 'x-label': { zh: '国家', en: 'Country' } },
    amount: { type: 'string', format: 'money', 'x-money': 'USD', 'x-label': { zh: '金额', en: 'Amount' } },
    orders: { type: 'integer', 'x-label': { zh: '订单', en: 'Orders' } },
    lastAt: { type: 'string', format: 'date-time', 'x-label': { zh: '最近联系', en: 'Last contact' } },
    status: { type: 'string', 'x-label': { zh: '状态', en: 'Status' } },
    files: { type: 'array', items: { type: 'object', format: 'file' }, 'x-label': { zh: '文件', en: 'Files' } },
    // no record has any of these
    fax: { type: 'string', 'x-label': { zh: '传真', en: 'Fax' }, readOnly: true },
    hall: { type: 'string', 'x-label': { zh: '展厅', en: 'Hall' }, readOnly: true },
    stand: { type: 'string', 'x-label': { zh: '展位', en: 'Stand' }, readOnly: true },
    badge: { type: 'string', 'x-label': { zh: '胸牌', en: 'Badge' }, readOnly: true },
  },
  required: ['name'],
  'x-scope': 'public',
  'x-permissions': {
    read: 'test:customer',
    add: 'test:customer:add',
    edit: 'test:customer:edit',
    delete: 'test:customer:delete',
    restore: 'test:customer:delete',
    import: 'test:customer:import',
    export: 'test:customer:export',
  },
} as unknown as EntityDocument

const list = {
  formatVersion: 3,
  kind: 'list',
  path: '/customers',
  title: { zh: '客户', en: 'Customers' },
  description: { zh: '全部客户。', en: 'All customers.' },
  entity: 'test.customer',
  views: [
    { id: 'all', title: { zh: '全部', en: 'All' }, count: true },
    {
      id: 'key',
      title: { zh: '重点', en: 'Key accounts' },
      where: [{ field: 'level', operator: 'eq', value: 'A' }],
      count: true,
    },
  ],
  columns: [
    { field: 'name', open: '/customers/details?id={{ row.id }}', pin: 'left', width: 220 },
    { field: 'level' },
    { field: 'city' },
    { field: 'country' },
    { field: 'amount', summary: 'sum' },
    { field: 'orders', tone: "{{ value > 90 ? 'warning' : null }}" },
    { field: 'lastAt' },
    { id: 'twice', title: { zh: '两倍', en: 'Twice' }, value: '{{ row.orders * 2 }}', hidden: true },
  ],
  filters: [
    { field: 'level' },
    { field: 'city' },
    { field: 'orders' },
    { field: 'lastAt', more: true },
    { field: 'country', more: true },
  ],
  summary: true,
  actions: [{ id: 'add', label: { zh: '新建客户', en: 'New customer' }, form: 'test/customer', primary: true }],
  rowActions: [
    { id: 'view', label: { zh: '查看', en: 'View' }, open: '/customers/details?id={{ row.id }}' },
    { id: 'delete', operation: 'delete' },
    { id: 'copy', label: { zh: '复制编码', en: 'Copy code' }, copy: '{{ row.code }}' },
    {
      id: 'call',
      label: { zh: '拨打', en: 'Call' },
      call: 'POST /v2/test/customer/call',
      disabled: "{{ row.level === 'C' }}",
      disabledReason: { zh: '观察中', en: 'Under watch' },
    },
  ],
  bulkActions: [
    {
      id: 'archive',
      label: { zh: '归档', en: 'Archive' },
      call: 'POST /v2/test/customer/archive',
      params: { ids: '{{ rows.id }}' },
    },
    { id: 'deleteAll', operation: 'delete' },
  ],
} as unknown as PageDocument

const detail = {
  formatVersion: 3,
  kind: 'detail',
  path: '/customers/details',
  title: { zh: '客户详情', en: 'Customer' },
  entity: 'test.customer',
  detail: true,
  header: {
    state: ['level'],
    figures: [{ field: 'amount' }, { field: 'orders' }],
    actions: [{ id: 'delete', operation: 'delete' }],
    warnings: [{ id: 'watched', when: "{{ record.level === 'C' }}", message: { zh: '观察中。', en: 'Under watch.' } }],
  },
  sections: [
    {
      id: 'basic',
      title: { zh: '基本', en: 'Basics' },
      fields: [
        { field: 'code' },
        { field: 'name', edit: true },
        { field: 'city', edit: true },
        { field: 'country' },
        { field: 'lastAt' },
      ],
    },
  ],
  tabs: [
    {
      id: 'same',
      title: { zh: '同城客户', en: 'Same city' },
      list: {
        entity: 'test.customer',
        where: [{ field: 'city', operator: 'eq', value: '{{ record.city }}' }],
        columns: [{ field: 'name' }, { field: 'amount', summary: 'sum' }],
        filters: [],
      },
    },
    { id: 'broken', title: { zh: '组件', en: 'Widget' }, widget: 'test.explode', props: {} },
  ],
  attachments: 'files',
} as unknown as PageDocument

const form = {
  formatVersion: 3,
  kind: 'form',
  name: 'test/customer',
  title: { zh: '客户', en: 'Customer' },
  entity: 'test.customer',
  schema: { type: 'object', properties: { name: { $field: 'test.customer.name' }, city: { $field: 'test.customer.city' } } },
} as unknown as PageDocument

const faulty = {
  ...list,
  path: '/faulty',
  columns: [{ field: 'name' }, { field: 'nmae' }],
  // Compiling lets this through: only the validator knows that there is no such action.
  empty: { text: { zh: '没有客户', en: 'No customers' }, action: 'ad' },
} as unknown as PageDocument

/** Bundles by route or name, as the gateway answers them. */
export const BUNDLES: Readonly<Record<string, PageBundle>> = Object.fromEntries(
  [list, detail, form, faulty].map((page) => {
    const id = page.path ?? page.name ?? ''
    return [
      id,
      {
        page,
        where: `schemas/test/pages${id}.json`,
        revision: `r-${id}`,
        entities: { 'test.customer': customer },
        dictionaries: { level },
      },
    ]
  }),
)
