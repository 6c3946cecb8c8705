import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ModuleDocument } from '../../../src/schema/generated/module'
import { segmentOf } from '../../../src/schema/routes'
import {
  at,
  below,
  byPath,
  entries,
  entriesOf,
  inMenu,
  isDetail,
  modules,
  registry,
  routes,
  under,
} from '../../support/routeTable'

const EMBEDDED = [
  'setModule',
  'businessInquiry',
  'crm',
  'reportAnalysis',
  'financial',
  'businessOperations',
  'srm',
  'message',
  'offerManage',
  'csc',
  'general',
  'heavenlyWarning',
]

/** The folder of the domain whose pages stand in a module of the specification. */
const FOLDERS: Readonly<Record<string, string>> = {
  setModule: 'sys',
  businessInquiry: 'biz',
  reportAnalysis: 'rpt',
  financial: 'fin',
  businessOperations: 'ops',
  message: 'mail',
  offerManage: 'qm',
  general: 'wf',
  heavenlyWarning: 'ew',
}
/** A module whose folder is not there is none; what a module has is said by its own tests. */
const present = (segment: string): boolean => existsSync(join('schemas', FOLDERS[segment] ?? segment))

describe('The route table', () => {
  it('R001 knows the 14 modules, in this order, and the shell', () => {
    const placed = modules.filter((module) => module.name !== 'shell' && module.routes.length > 0)
    const named = placed.sort((a, b) => (a.sort ?? 0) - (b.sort ?? 0))
    expect(named.map(segmentOf)).toEqual(
      [
        ...['home', 'srm', 'crm', 'offerManage', 'businessInquiry', 'reportAnalysis', 'businessOperations', 'toolbox'],
        ...['setModule', 'financial', 'message', 'csc', 'general', 'heavenlyWarning'],
      ].filter(present),
    )
  })

  it('has the settings of a module where they belong, before those of finance, though its own folder names them', () => {
    const settings = modules.find((one) => segmentOf(one) === 'setModule')!
    const ids = settings.menu.map(({ id }) => id)
    expect(ids.slice(0, ids.indexOf('financial')).slice(-3).sort()).toEqual(['crm', 'csc', 'purchase'])
    expect(at('/setModule/purchase/payment-method').module).toBe('setModule')
    const file = readFileSync('schemas/sys/module.json', 'utf8')
    expect(file).not.toMatch(/setModule[:/](crm|csc|purchase)/)
  })

  it('holds the 397 routes of the specification and those that were decided for menu areas without a route', () => {
    expect(routes.length).toBeGreaterThanOrEqual(357)
    expect(new Set(routes.map(({ path }) => path)).size).toBe(routes.length)
    const counts = Object.fromEntries(
      modules.map((one) => [segmentOf(one), routes.filter(({ module }) => module === segmentOf(one)).length]),
    )
    expect(counts).toMatchObject({
      shell: 6,
      home: 1,
    })
    expect(counts.reportAnalysis).toBeGreaterThanOrEqual(23)
    expect(counts.heavenlyWarning).toBeGreaterThanOrEqual(6)
    expect(counts.financial).toBeGreaterThanOrEqual(47)
    expect(counts.csc).toBeGreaterThanOrEqual(9)
    expect(counts.general).toBeGreaterThanOrEqual(22)
    expect(counts.businessInquiry).toBeGreaterThanOrEqual(45)
    expect(counts.businessOperations).toBeGreaterThanOrEqual(35)
    expect(counts.message).toBeGreaterThanOrEqual(18)
    expect(counts.offerManage).toBeGreaterThanOrEqual(44)
    expect(counts.crm).toBeGreaterThanOrEqual(42)
    expect(counts.setModule).toBeGreaterThanOrEqual(53)
    expect(counts.toolbox).toBeGreaterThanOrEqual(7)
  })

  it('has path and title from the page: no module says them again, neither for a route nor for a menu entry', () => {
    const titles = new Map(routes.map(({ path, title }) => [path, title.en]))
    const files = readdirSync('schemas').map((name) => join('schemas', name, 'module.json'))
    const documents = files
      .filter((file) => existsSync(file) && !file.includes('/meta/'))
      .map((file) => JSON.parse(readFileSync(file, 'utf8')) as ModuleDocument)
    const written = documents.flatMap(({ menu }) => entriesOf(menu))
    const own = new Set(registry.pages.map(({ name, document }) => `${name.split('/', 1)[0]} ${document.path}`))
    const restated = documents.flatMap((one) => one.routes.filter(({ path }) => own.has(`${one.name} ${path}`)))
    expect(restated).toEqual([])
    const again = written.filter(({ title, path = '' }) => title !== undefined && title.en === titles.get(path))
    expect(again.map(({ path }) => path).filter((path) => path !== '/crm/client-partner/open-sea')).toEqual([])
  })

  it('R038 gives every route a Chinese title and an owning module', () => {
    for (const { path, title, module } of routes) {
      expect(title.zh, path).toMatch(/[\u4e00-\u9fff]|API/)
      expect(title.en, path).not.toBe('')
      expect(module, path).not.toBe('')
    }
  })

  it('R307 says nothing about roles: who may open a route is decided by the resources of a person', () => {
    for (const route of routes)
      expect(
        Object.keys(route).filter((key) => /role/i.test(key)),
        route.path,
      ).toEqual([])
  })

  it('R024 redirects / to /home; R123 redirects /message/email to its inbox; R232 the inbox and the spam folder have their paths', () => {
    expect(at('/').redirect).toBe('/home')
    expect(at('/message/email').redirect).toBe('/message/email/inbox')
    for (const name of ['inbox', 'spam']) expect(at(`/message/email/${name}`).module).toBe('message')
  })

  it('R025 R026 R028 R031 R034 keeps home and the shell out of menus, side menu and bookmarks', () => {
    for (const path of ['/home', '/login', '/authorize', '/refresh', '/ddNotice', '/:pathMatch(.*)*']) {
      expect(at(path).menu ?? false, path).toBe(false)
      expect(at(path).aside, path).toBe(false)
      expect(at(path).bookmark, path).toBe(false)
      expect(inMenu(path), path).toBe(false)
    }
  })

  it('R032 R033 R035 R036 ends each of the 12 modules with a catch-all that hosts a sub-application', () => {
    expect(
      modules
        .filter(({ embed }) => embed !== undefined)
        .map(segmentOf)
        .sort(),
    ).toEqual(EMBEDDED.filter(present).sort())
    for (const name of EMBEDDED.filter(present)) expect(at(`/${name}/:page*`)).toMatchObject({ kind: 'embed', module: name })
  })

  it('R039 R049 keeps detail pages out of the menu and highlights a parent that exists', () => {
    for (const route of routes) {
      if (route.activeMenu !== undefined) expect(byPath.has(route.activeMenu), route.path).toBe(true)
      if (route.detail === true || route.kind === 'detail') expect(inMenu(route.path), route.path).toBe(false)
    }
  })

  it('R040 R050 marks every detail page of the first document', () => {
    const details = [
      ...under('/crm', [
        'customerDetailBuka',
        'addCustomerBuka',
        'agentCustDetailBuka',
        'agentDetailBuka',
        'addBo',
        'BODetail',
        'addClassA',
        'classADetails',
      ]),
      ...under('/message/email', ['details', 'none']),
      '/offerManage/addGroup',
    ]
    expect(details.filter((path) => !isDetail(path))).toEqual([])
  })

  it('R051 takes the title of /crm/customerDetailBuka from the query', () => {
    expect(at('/crm/customerDetailBuka').titleFrom).toBe('{{ query.name }}')
  })

  it('R052 R053 R054 R057 has the detail routes of customers, opportunities, class A and e-mail tracking', () => {
    const paths = under('/crm', [
      'addCustomerBuka',
      'agentCustDetailBuka',
      'agentDetailBuka',
      'addBo',
      'BODetail',
      'addClassA',
      'classADetails',
      'emailTrackingDetails',
    ])
    expect(paths.filter((path) => !isDetail(path))).toEqual([])
  })

  it('R055 R056 R058 highlights the menu entries of the mail pages of CRM', () => {
    for (const name of ['sendOutBox', 'inBoxDetails', 'editDraftBox', 'outBoxDetails', 'dustbinDetails'])
      expect(at(`/crm/${name}`).activeMenu).toBe('/crm/email')
    for (const name of ['emailMarketingDetails', 'sendEditMarketingEmails'])
      expect(at(`/crm/${name}`).activeMenu).toBe('/crm/sendList')
    expect(at('/crm/addEditEmail').activeMenu).toBe('/crm/paramSet')
    expect(at('/crm/sendOutBox').aliases).toEqual(['/crm/email/sendOutBox'])
  })

  it('R059 R060 R061 has the sending pages of quotations outside the menu', () => {
    const sending = below('/offerManage/customerQuotation')
    expect(sending).toHaveLength(14)
    for (const path of sending) {
      expect(at(path).activeMenu, path).toBe('/offerManage/customerQuotation')
      expect(isDetail(path), path).toBe(true)
      expect(at(path).aliases, path).toEqual([path.replace('/customerQuotation', '')])
    }
    expect(isDetail('/offerManage/addGroup')).toBe(true)
    expect(at('/offerManage/specialPrice/specialPriceDetail').activeMenu).toBe('/offerManage/specialPrice')
    expect(at('/offerManage/emailQueries/emailQueriesCen').activeMenu).toBe('/offerManage/emailQueries')
    expect(at('/offerManage').bookmark).toBe(false)
  })

  it('R062 R063 R064 R065 R066 R067 has the detail routes of the other modules', () => {
    const operations = [
      'submittedApply',
      'submittedDetail',
      'workOrderDetail',
      'orderInfoSumDetails',
      'submitDetail',
      'THSubmitDetail',
      'rechargeDetails',
      'rechargeApplication',
      'submitApply',
      'submitWorkOrder',
    ]
    const paths = [
      ...under('/businessOperations', operations),
      '/financial/entitySettle/account/details',
      '/financial/balanceReport/vos/detail',
      '/message/email/details',
      '/message/email/none',
      ...under('/businessInquiry', ['operationLog', 'accountApprovalStatus', 'creditModifyRecord/consumer']),
    ]
    expect(paths.filter((path) => !isDetail(path))).toEqual([])
  })

  it.each([
    ['R094', '/setModule/authManage', ['menu', 'permissions', 'user']],
    ['R095 R096', '/setModule/email', ['account', 'signature', 'inbox']],
    ['R097 R098 R099 R100', '/setModule/process', ['configer', 'roles', 'notify', 'formword']],
    [
      'R101 R102 R103 R104 R105 R106 R107 R108',
      '/setModule/purchase/rules',
      ['domain', 'seas', 'supplier', 'level', 'retention', 'suffix', 'cluevier', 'share'],
    ],
    [
      'R109 R110 R113',
      '/setModule',
      ['csc/rules/distribute', 'setRate', 'publicnotice/noticeconfig', 'feedbackmanagement/fb-config'],
    ],
    ['R112', '/setModule/financial', ['notify']],
    [
      'R118',
      '/businessOperations/voIp/voipIframe',
      [
        'voiceTest',
        'timeTask',
        'groupCallTask',
        'groupCallTimeTask',
        'numberPool',
        'voiceMonitor',
        'historyTalk',
        'mediaCapture',
        'voiceSource',
      ],
    ],
    [
      'R119',
      '/businessOperations/sms-test',
      [
        'test-number-pool',
        'number-device-blacklist',
        'valid-number-alarm',
        'test',
        'cycle-test',
        'test-record',
        'number-source-setting',
      ],
    ],
    ['R124 R127', '/message/email', ['write', 'inbox', 'star', 'spam', 'sent', 'drafts', 'vce', 'adb', 'set', 'um', 'logs']],
    ['R129 R131', '/general/process', ['sponsor', 'my-agent', 'my-initiate', 'my-handle', 'my-deliver']],
    ['R142', '/heavenlyWarning', ['basiclibrary', 'configlibrary', 'monitoring', 'alrmrules', 'alarmdata']],
  ])('%s has these pages of %s in the menu', (_rules, prefix, names) => {
    expect(under(prefix, names).filter((path) => !at(path).menu || !inMenu(path))).toEqual([])
  })

  it('R111 R116 has exactly 13 financial settings and 10 consumer pages', () => {
    expect(
      below('/setModule/financial')
        .map((path) => path.split('/')[3])
        .sort(),
    ).toEqual(
      [
        'credit-whitelist',
        'tariff',
        'currency',
        'brand',
        'main-body',
        'bank',
        'xe-rate',
        'credit-rule',
        'notify',
        'bill-cycle',
        'quote-set',
        'quote-email-template',
        'billing-method',
      ].sort(),
    )
    expect(
      below('/financial/account/consumer')
        .map((path) => path.split('/')[4])
        .sort(),
    ).toEqual(
      ['consumer', 'authcheck', 'contract', 'auth', 'workspace', 'workspaceapi', 'recharge', 'bill', 'client', 'awsUser'].sort(),
    )
  })

  it('R114 gives the daily performance pages a preview each', () => {
    for (const end of ['c', 'r']) {
      expect(inMenu(`/businessInquiry/resultsQuery/day/${end}-end`)).toBe(true)
      expect(at(`/businessInquiry/resultsQuery/day/${end}/performance/preview`).activeMenu).toBe(
        `/businessInquiry/resultsQuery/day/${end}-end`,
      )
    }
  })

  it('R041 R115 R125 R126 R128 marks the one-bookmark pages and no others', () => {
    expect(
      routes
        .filter(({ single }) => single)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(
      [
        ...['', '/details', '/partner-details', '/sea-details'].map((end) => `/crm/client-partner/open-sea${end}`),
        ...under('/message/email', ['vce', 'set']),
        ...under('/csc', ['wander/distribute', 'wander/transfer', 'clue/invalid', 'clue/followed', 'clue/assign']),
      ].sort(),
    )
  })

  it('R117 gives recharge, payment and hedge a detail page each and manual none', () => {
    for (const name of ['recharge', 'payment', 'hedge']) expect(isDetail(`/financial/recharge-apply/${name}/detail`)).toBe(true)
    expect(below('/financial/recharge-apply/manual')).toEqual([])
  })

  it('R129 R130 R132 R133 R134 R135 R136 R137 R138 R139 R140 has the approval pages and their details', () => {
    for (const name of ['my-agent', 'my-initiate', 'my-handle', 'my-deliver'])
      expect(at(`/general/process/${name}/profile`).activeMenu).toBe(`/general/process/${name}`)
    const applications = [
      ...['recharge', 'payment', 'hedge'].map((name) => `recharge-apply/${name}`),
      ...['prepay', 'postpay', 'deferral', 'method', 'bill-change'].map((name) => `credit-apply/${name}`),
      ...['special-apply/special', 'supplier-apply/supplier', 'supplier-body-replace'],
    ]
    for (const name of applications)
      expect(at(`/general/process/${name}/apply`)).toMatchObject({ kind: 'widget', activeMenu: '/general/process/sponsor' })
    // the form comes from the process, not from the page
    expect(at('/general/process/sponsor/submit').kind).toBe('widget')
  })

  it('R046 R047 R048 has the pages behind the shortcuts of the header', () => {
    for (const path of ['/general/process/sponsor', '/message/publicnotice/timeaxis', '/csc/feedbackmanagement/feedback'])
      expect(at(path).kind).toBe('widget')
  })

  it('R015 R017 R018 R019 R020 R021 R022 finds the menu areas that the documents name without a route', () => {
    const areas = [
      ...under('/crm', [
        'leads',
        'visiting-records',
        'opportunities',
        'market-analysis/overview',
        'sendList',
        'data-analysis/sales-funnels',
      ]),
      ...below('/offerManage').filter((path) => at(path).menu === true),
      ...under('/toolbox', ['mcc-mnc', 'number-lookup', 'exchange-rate', 'ip-address', 'sms-length', 'sensitive-words']),
      ...[
        '/message/email/inbox',
        '/message/notification',
        '/financial/recharge-record/platform',
        '/businessInquiry/sendRcdQuery',
      ],
    ]
    expect(areas.filter((path) => !inMenu(path))).toEqual([])
    expect(areas.filter((path) => path.startsWith('/offerManage/')).length).toBeGreaterThan(5)
  })

  it('R144 gives every menu entry a key of its own that begins with its module', () => {
    const keys = entries.map(({ international }) => international)
    expect(new Set(keys).size).toBe(keys.length)
    for (const module of modules)
      for (const entry of entriesOf(module.menu))
        expect(entry.international.startsWith(`${segmentOf(module)}:`), entry.id).toBe(true)
    expect(modules.find(({ name }) => name === 'crm')?.international).toBe('crm:crm')
    expect(entries.find(({ path }) => path === '/crm/client-partner/my-client')?.international).toBe(
      'crm:client-partner:my-client',
    )
  })

  it('has every menu page of the table in exactly one menu, two levels deep at most', () => {
    const paths = entries.flatMap(({ path }) => (path === undefined ? [] : [path]))
    expect([...paths].sort()).toEqual(
      routes
        .filter(({ menu }) => menu)
        .map(({ path }) => path)
        .sort(),
    )
    for (const { menu } of modules)
      for (const entry of menu) for (const child of entry.children ?? []) expect(child.children).toBeUndefined()
  })
})
