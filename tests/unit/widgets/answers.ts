import { RequestError, type HostRequest } from '../../../src/headless/host'
import { approvalAnswers } from './approvalAnswers'
import { mailAnswers } from './mailAnswers'
import type { ManagedMenu } from '../../../src/widgets/sys-admin/resources/menus'

/** A menu entry with what a test says of it. */
export const menu = (id: string, part: Partial<ManagedMenu> = {}): ManagedMenu => ({
  id,
  nameZh: `菜单${id}`,
  nameEn: `Menu ${id}`,
  router: null,
  international: `test:${id}`,
  icon: null,
  kind: 'menu',
  webShowFlag: true,
  mobileFlag: false,
  newWindow: false,
  iframeName: null,
  parentId: null,
  sortNo: 10,
  version: 1,
  buttons: [],
  grantedBy: 0,
  warnings: [],
  children: [],
  ...part,
})

const role = {
  id: 'r1',
  version: 3,
  code: 'sales',
  name: '销售',
  nameEn: 'Sales',
  remark: null,
  enabled: true,
  memberCount: 2,
  resourceIds: ['m1'],
  buttonKeys: ['test:m2:add'],
  scopes: { 'crm.customer': ['own'] },
  fieldRules: { 'crm.customer.remark': 'hide' },
  $write: true,
}

const industries = {
  name: 'industry',
  module: 'crm',
  label: { zh: '行业', en: 'Industry' },
  editable: true,
  values: 2,
  retired: 1,
  changed: 1,
  version: 3,
}

const mailbox = { accountId: 'a1', address: 'li@portal.example', displayName: 'Li', isDefault: true, state: 'active' }

const writingAnswers: Readonly<Record<string, unknown>> = {
  '/v2/emailbox/email/sender/list': [{ ...mailbox, sentToday: 3, dailyLimit: 500 }],
  '/v2/emailbox/email/sender/query': { ...mailbox, signatureIds: [], signatureId: null, replySignatureId: null },
  '/v2/emailbox/select/signature': [],
  '/v2/emailbox/select/temp': [{ id: 't1', name: 'Rates', kind: 'general' }],
  '/v2/emailbox/email/check/owner': [],
  '/v2/emailbox/email/check/cc/email': [],
  '/v2/emailbox/account/staff/state': { bound: true, accounts: [mailbox], failing: 0 },
  '/v2/emailbox/dingNotice/query': { enabled: false, from: '08:00', to: '20:00', onlyFollowed: false, accounts: [] },
  '/v2/mail/account/queryPage': { records: [{ id: 'a1', ...mailbox, pushEnabled: true }], total: 1 },
}

const ANSWERS: Readonly<Record<string, unknown>> = {
  ...approvalAnswers,
  ...mailAnswers,
  ...writingAnswers,
  '/v2/sys/staff/sysDict/pageSysDict': { records: [industries], total: 1 },
  '/v2/sys/staff/sysDict/values': {
    ...industries,
    mayEdit: true,
    items: [
      {
        code: 'saas',
        label: { zh: '企业软件', en: 'SaaS' },
        color: 'blue',
        retired: false,
        fixed: false,
        origin: 'released',
        changed: false,
        released: { zh: '企业软件', en: 'SaaS' },
      },
      {
        code: 'energy',
        label: { zh: '能源', en: 'Energy' },
        color: null,
        retired: true,
        fixed: false,
        origin: 'added',
        changed: false,
        released: null,
      },
    ],
  },
  '/v2/sys/staff/sysDict/usage': {
    fields: [{ zh: '客户 · 行业', en: 'Customer · Industry' }],
    used: {
      saas: [
        {
          entity: 'crm.customer',
          field: 'industry',
          title: { zh: '客户 · 行业', en: 'Customer · Industry' },
          count: 3,
          deleted: 0,
        },
      ],
    },
  },
  '/v2/sys/staff/version/versionTimeAxisPage': {
    records: [
      {
        id: 'n1',
        version: '3.9.0',
        kind: 'release',
        kindLabel: 'Release',
        title: 'Early warning',
        content: 'Balances are watched.',
        publishedAt: '2026-11-18T02:00:00.000Z',
        read: false,
      },
    ],
    total: 1,
    next: null,
  },
  '/v2/crm/customer/claimQuota': {
    daily: { used: 1, limit: 5 },
    weekly: { used: 2, limit: 20 },
    holding: { used: 9, limit: 10, warnAt: 80 },
  },
  '/v2/crm/customer/traffic/c1': [
    {
      product: 'sms',
      label: { zh: '短信', en: 'SMS' },
      days: [
        { day: '2026-11-18', volume: 1200 },
        { day: '2026-11-19', volume: 800 },
      ],
    },
  ],
  '/v2/crm/index/customer/statistics': {},
  '/v2/crm/index/today': {
    day: '2026-11-20',
    groups: [
      {
        id: 'followUps',
        address: '/crm/client-partner/my-client?view=today',
        total: 1,
        rows: [{ id: 'c1', title: 'Nova Reach', customerId: 'c1', at: '2026-11-20T02:00:00.000Z', note: null }],
      },
      {
        id: 'todos',
        address: null,
        total: 1,
        rows: [{ id: 't1', title: 'Say why it fell', customerId: null, at: null, note: null, link: '/crm/today' }],
      },
    ],
  },
  '/v2/crm/customer/merge/preview': {
    records: [
      { id: 'c1', code: 'CU2600001', name: 'Nova Reach', ownerId: 's1', city: 'Singapore' },
      { id: 'c2', code: 'CU2600002', name: 'Nova Reach Pte', ownerId: 's2', city: null },
    ],
    refs: { 'sys.staff': { s1: { title: 'Wang Wei (S0042)' }, s2: { title: 'Li Na (S0043)' } } },
    writable: [true, true],
    fields: ['ownerId', 'name', 'city'],
    joinable: ['tags'],
    children: [{ entity: 'crm.contact', label: 'Contact', counts: [1, 2] }],
  },
  '/v2/sys/staff/user/select': [{ id: 's2', title: 'Li Na (S0043)' }],
  '/v2/sys/staff/user/handover/s1': {
    staff: { id: 's1', name: 'Wang Wei (S0042)', status: 'active', leftOn: null },
    leader: { id: 's9', name: 'Chen Yu (S0004)' },
    customers: [{ id: 'c1', code: 'CU2600001', name: 'Nova Reach', level: 'a', holding: 'private' }],
    others: [{ entity: 'crm.share', label: 'Share', count: 2 }],
  },
  '/v2/sys/schema/targets': {
    roles: [],
    targets: [
      {
        target: 'page:crm/my-client',
        kind: 'page',
        pageKind: 'list',
        title: { zh: '我的客户', en: 'My customers' },
        path: '/crm/client-partner/my-client',
        entity: 'crm.customer',
        made: false,
        drafts: [{ role: null, by: { staffId: 's1', name: 'Wang Wei' }, at: '2026-03-10T02:00:00.000Z', origin: null }],
        variants: [],
        orphans: 0,
        unused: 0,
        faults: 0,
      },
    ],
  },
  '/v2/crm/index/promotionLink': [{ name: 'Website', link: 'https://example.com/?promoterNo=S0042' }],
  '/v2/sys/staff/quickEntrance/getUserQuickEntranceList': [],
  '/v2/sys/staff/overseas/getResourceByMenu': [],
  '/v2/sys/staff/sysLoginPrompt/genQuery/one': {},
  '/v2/sys/menuResource/tree': [
    menu('m1', {
      children: [
        menu('m2', { parentId: 'm1', buttons: [{ id: 'b1', key: 'test:m2:add', zh: '新建', en: 'Add', grantedBy: 1 }] }),
        menu('m3', { parentId: 'm1', sortNo: 20 }),
      ],
    }),
  ],
  '/v2/sys/role/queryPage': { records: [role], total: 1, pageNo: 1, pageSize: 1000, refs: {} },
  '/v2/sys/role/catalogue': {
    entities: [
      {
        name: 'crm.customer',
        title: 'Customer',
        scopes: ['own', 'shared', 'department', 'departmentTree', 'all'],
        fields: [{ name: 'remark', title: 'Remark', sensitive: false }],
      },
    ],
  },
  '/v2/sys/department/queryPage': {
    records: [
      {
        id: 'd1',
        version: 1,
        code: 'HQ',
        name: '总部',
        nameEn: 'Headquarters',
        parentId: null,
        leaderId: 's1',
        kind: 'company',
        sortNo: 1,
        enabled: true,
        staffCount: 3,
        $write: true,
      },
    ],
    refs: { 'sys.staff': { s1: { title: 'Wang Wei (S0042)' } } },
  },
  '/v2/sys/staff/user/view/s1': {
    record: { id: 's1', name: '王伟', nameEn: 'Wang Wei', status: 'active', signInDisabled: false, lastSignInAt: null },
  },
  '/v2/sys/staff/user/effective/s1': {
    mayEnter: true,
    roles: [{ id: 'r1', code: 'sales', name: 'Sales', enabled: true, until: null }],
    permissions: [{ key: 'test:m1', roles: ['sales'] }],
    scopes: [{ entity: 'crm.customer', scopes: ['own'], roles: ['sales'] }],
    fieldRules: [],
  },
}

/** Answers the calls of the widgets' examples; a call that nobody thought of fails the test by its name. */
export const widgetAnswer = ({ method, path }: HostRequest): unknown => {
  if (path in ANSWERS) return ANSWERS[path]
  throw new RequestError('business', `The tests have no answer for ${method} ${path}.`, 10010004)
}
