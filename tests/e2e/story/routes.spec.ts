import type { Page } from '@playwright/test'
import type { RouteFacts, RouteFactsTable } from '../../../src/schema/routes'
import { call } from '../support/adminTest'
import { walksOf } from '../../support/walkPart'
import { expect, PEOPLE, test } from '../support/realTest'
import { RouteWalk, type Stop } from '../support/routeWalk'

const { someOf, walksAll } = walksOf(import.meta.filename)

/*
 * Every route with a page, of whatever module: opened by the administrator in English, and in Chinese by a person whose job it is. The
 * routes come from the gateway, so that a new page is opened without a word here. All that fails is told at once, by route.
 */

const PURCHASE = ['S0046', 'S0049', 'S0045']
const SERVICE = ['S0063', 'S0062']
const OPERATIONS = ['S0057', 'S0056']
const CHIEF_OF_FINANCE = 'S0074'
/** Who confirms what comes in: applications for a recharge wait for him. */
const RECEIVABLES = 'S0053'

/** Whose daily work the pages of a module are; the first of them who may open a page, and finds something on it, opens it. */
const WORK: Readonly<Record<string, readonly string[]>> = {
  srm: PURCHASE,
  csc: SERVICE,
  financial: [PEOPLE.finance, RECEIVABLES, CHIEF_OF_FINANCE],
  setModule: [PEOPLE.humanResources, PEOPLE.finance, 'S0045', ...SERVICE, PEOPLE.administrator],
  businessOperations: [PEOPLE.sales, ...OPERATIONS],
  offerManage: [PEOPLE.sales, ...PURCHASE],
  businessInquiry: [...OPERATIONS, PEOPLE.sales, CHIEF_OF_FINANCE, ...PURCHASE],
  reportAnalysis: [PEOPLE.generalManager, CHIEF_OF_FINANCE],
  heavenlyWarning: OPERATIONS,
  toolbox: [...OPERATIONS, PEOPLE.sales],
}
const EVERYBODY = [
  PEOPLE.sales,
  PEOPLE.salesManager,
  'S0003',
  PEOPLE.finance,
  CHIEF_OF_FINANCE,
  ...PURCHASE,
  ...SERVICE,
  ...OPERATIONS,
  PEOPLE.generalManager,
  PEOPLE.administrator,
]
/** So many of those who may open a page look whether it has rows for them. */
const LOOKERS = 3

/** Pages that nobody finds rows or a record on in the demo world, each with the reason. */
const RIGHTLY_EMPTY: Readonly<Record<string, string>> = {
  '/businessInquiry/vos/gateway/samples': 'the samples of a gateway are opened from it',
  '/csc/wander/transfer': 'leads were given once, by rules',
  '/financial/account/main': 'no customer of the demo company has a main account',
  '/financial/account/supplier/email': 'its suppliers are of SMS and voice',
  '/financial/account/supplier/social': 'its suppliers are of SMS and voice',
  '/financial/credit-customer/bill-refund': 'nobody was refunded a bill',
  '/financial/financial-erp/document-management/results': 'no file was read back from Kingdee',
  '/financial/ledger/free-traffic': 'nothing of the demo company is settled as free',
  '/financial/ledger/periods': 'no month was closed',
  '/financial/receivables/bank-lines': 'no bank statement was imported',
  '/financial/receivables/chase': 'on the first days of a month no bill is late yet',
  '/financial/recharge-record/main-account': 'without main accounts nothing is moved between them',
  '/financial/recharge-record/platform': 'no platform is connected',
  '/financial/recharge-record/u-platform': 'no platform is connected',
  '/financial/recharge-record/voice': 'no platform is connected',
  '/reportAnalysis/mail/hours': 'mails of the demo company are test traffic',
  '/reportAnalysis/otp/hours': 'one-time codes of the demo company are test traffic',
  '/setModule/ai/ratings': 'nobody has rated an answer yet',
  '/setModule/email/inbox': 'the administrator is in no shared mailbox',
  '/setModule/financial/credit-whitelist': 'nobody is exempt from the credit rules',
  '/setModule/outbox': 'nothing was asked of another system in vain',
  '/setModule/process/notify': 'no group chat is connected',
  '/setModule/process/notify/log': 'no group chat is connected',
  '/srm/operate/supplier/transfer': 'no account has moved to another supplier',
  '/srm/operate/supplier/transfer/details': 'no account has moved to another supplier',
  '/srm/operate/transfer-supplier/list': 'no supplier has moved to another one',
  '/srm/operate/transfer-supplier/detail': 'no supplier has moved to another one',
}

/** Keys and placeholders are what these pages are about. */
const SHOWS_KEYS: readonly string[] = [
  '/setModule/pages',
  '/setModule/authManage/menu',
  '/setModule/authManage/permissions',
  '/setModule/financial/quote-email-template',
  '/setModule/email/signature',
  '/crm/sendEditMarketingEmails',
  '/crm/sendList',
  '/setModule/process/configer/design',
]

const MAY_NOT = 10010003
const NEEDS_RECORD = 'shows a record, and nobody finds one'
const NO_ROWS = 'no rows'

test.describe.configure({ mode: 'parallel' })
// a machine that others use too opens a page in a second
test.setTimeout(600_000)

/** Of all routes so many are opened in each language, unless all are. */
const SOME = 30
/** Parts of the routes, each opened by a test of its own: all of them are shared out evenly among the workers. */
const PARTS = walksAll ? [0, 1, 2, 3, 4, 5] : [0]
const partOf = (routes: readonly RouteFacts[], part: number, walk: string): RouteFacts[] =>
  someOf(walk, routes, SOME, ({ path }) => path).filter((_, index) => index % PARTS.length === part)

for (const part of PARTS)
  test(`every route opens for the administrator in English, who reads why where he may not see the records (part ${part + 1})`, async ({
    as,
    expectFaults,
  }) => {
    // every fault is told with its route
    expectFaults(/.*/s)
    const admin = await enter(await as(PEOPLE.administrator, { locale: 'en-US' }))
    const found: string[] = []
    const walked = partOf(withPage(await tableOf(admin.page)), part, 'routes in English')
    expect(walked).not.toEqual([])
    for (const route of walked) {
      const { faults } = await opened(admin, route)
      const refused = faults.some((fault) => fault.startsWith(`${MAY_NOT} `))
      const without = new RegExp(
        `^${NEEDS_RECORD}|^${NO_ROWS}${refused ? `|^${MAY_NOT} |^alert: |^console: .*no permission` : ''}`,
        's',
      )
      found.push(...faults.filter((fault) => !without.test(fault)).map((fault) => `${route.path}: ${fault}`))
    }
    expect(found).toEqual([])
  })

for (const part of PARTS)
  test(`every route opens in Chinese for a person whose job it is, with rows (part ${part + 1})`, async ({
    as,
    expectFaults,
  }) => {
    expectFaults(/.*/s)
    const people = new Map<string, Person>()
    const personOf = async (who: string): Promise<Person> => {
      const person = people.get(who) ?? (await enter(await as(who)))
      people.set(who, person)
      return person
    }
    const found: string[] = []
    const walked = partOf(withPage(await tableOf((await personOf(PEOPLE.sales)).page)), part, 'routes in Chinese')
    expect(walked).not.toEqual([])
    compared = 0
    for (const route of walked) {
      let faults: readonly string[] = ['nobody may open it']
      let lookers = 0
      for (const who of new Set([...(WORK[route.module] ?? []), ...EVERYBODY])) {
        const person = await personOf(who)
        if (!mayOpen(person, route)) continue
        const visit = await opened(person, route)
        if (visit.refused) continue
        lookers += 1
        const without = visit.faults.some((fault) => fault.startsWith(NEEDS_RECORD) || fault.startsWith(NO_ROWS))
        // of an empty page the first who opened it tells
        if (lookers === 1 || !without) faults = visit.faults.map((fault) => `${fault} (${who})`)
        if (!without || lookers === LOOKERS || RIGHTLY_EMPTY[route.path] !== undefined) break
      }
      if (RIGHTLY_EMPTY[route.path] !== undefined)
        faults = faults.filter((fault) => !fault.startsWith(NO_ROWS) && !fault.startsWith(NEEDS_RECORD))
      found.push(...faults.map((fault) => `${route.path}: ${fault}`))
    }
    expect(compared).toBeGreaterThan(0)
    expect(found).toEqual([])
  })

interface Person {
  page: Page
  staffId: string
  /** Addresses of his menu. */
  routers: ReadonlySet<string>
  walk: RouteWalk
}

interface Bundle {
  page: {
    kind: string
    entity?: string
    view?: string
    views?: readonly { id: string }[]
    columnOrder?: string
    widget?: string
    props?: Readonly<Record<string, unknown>>
  }
  entities: Readonly<Record<string, { 'x-path'?: string; 'x-worth'?: Readonly<Record<string, readonly string[]>> }>>
}

interface Resource {
  router?: string
  children?: readonly Resource[]
}

const tableOf = async (page: Page): Promise<RouteFactsTable> => (await call<RouteFactsTable>(page, '/v2/sys/page/routes')).data
const withPage = ({ routes }: RouteFactsTable): RouteFacts[] =>
  routes.filter(({ page, redirect }) => page !== null && redirect === undefined)

async function enter(page: Page): Promise<Person> {
  const [menu, user] = await Promise.all([
    call<readonly Resource[]>(page, '/v2/sys/staff/overseas/getResourceByMenu?mobileFlag=false'),
    call<{ staffId: string }>(page, '/v2/sys/staff/overseas/getUserInfo'),
  ])
  const all = (list: readonly Resource[]): string[] =>
    list.flatMap(({ router, children }) => [...(router ? [router] : []), ...all(children ?? [])])
  return { page, staffId: user.data.staffId, routers: new Set(all(menu.data)), walk: new RouteWalk(page) }
}

/** Whether his menu leads to the page, or to the one that it belongs to. */
const mayOpen = ({ routers }: Person, { path, detail, activeMenu }: RouteFacts): boolean =>
  path === '/home' || routers.has(path) || (activeMenu === undefined ? detail : routers.has(activeMenu))

/** Opens a route with a record, where it shows one; `refused`: the page is not for him. */
async function opened(person: Person, route: RouteFacts): Promise<{ refused: boolean; faults: readonly string[] }> {
  const { code, data: bundle } = await call<Bundle | null | undefined>(
    person.page,
    `/v2/sys/page/bundle?path=${encodeURIComponent(route.path)}`,
  )
  if (code !== 0 || !bundle) return { refused: true, faults: [`the gateway answers ${code}`] }
  const address = await addressOf(person, route, bundle)
  if (address === null) return { refused: false, faults: [NEEDS_RECORD] }
  const faults: string[] = []
  // the tab that comes first may be empty: drafts, what waits for a person
  for (const tab of [address, ...(bundle.page.views ?? []).slice(1).map(({ id }) => `${address}?view=${id}`)]) {
    const stop = await person.walk.to(tab)
    const here = [...stop.faults, ...faultsOf(route.path, bundle.page.kind, stop), ...hiddenWorth(bundle, stop)]
    if (!here.some((fault) => fault.startsWith(NO_ROWS))) return { refused: false, faults: here }
    if (tab === address) faults.push(...here)
    if (RIGHTLY_EMPTY[route.path] !== undefined) break
  }
  return { refused: false, faults }
}

/** The address of a record of his; null when there is none. */
async function addressOf(
  { page, staffId }: Person,
  route: RouteFacts,
  { page: document, entities }: Bundle,
): Promise<string | null> {
  const first = async (entity: string, query: object, field = 'id'): Promise<string | null> => {
    const base = entities[entity]?.['x-path'] ?? `/v2/${entity.replace('.', '/')}`
    const answer = await call<{ records?: readonly Record<string, string>[] } | null>(page, `${base}/queryPage`, {
      pageNo: 1,
      pageSize: 1,
      ...query,
    })
    return answer.data?.records?.[0]?.[field] ?? null
  }
  const at = (parameter: string, id: string | null): string | null => (id === null ? null : `${route.path}?${parameter}=${id}`)
  const eq = (field: string, value: string) => ({ field, operator: 'eq', value })
  if (document.widget === 'process.task')
    switch (document.props?.list) {
      case 'todo':
        return at('taskId', await first('wf.task', { where: [eq('assigneeId', staffId), eq('status', 'pending')] }))
      case 'handled':
        return at('taskId', await first('wf.task', { where: [eq('assigneeId', staffId), eq('status', 'agreed')] }))
      case 'cc':
        return at('instanceId', await first('wf.cc', {}, 'instanceId'))
      default:
        return at('instanceId', await first('wf.instance', { where: [eq('applicantId', staffId)] }))
    }
  if (document.widget === 'sys.recordLog') {
    const id = await first('crm.customer', {})
    return id === null ? null : `${route.path}?entity=crm.customer&id=${id}`
  }
  if (document.widget === 'mail.client' && route.detail) {
    const { data } = await call<{ list?: readonly { id: string; accountId: string }[] } | null>(
      page,
      '/v2/emailbox/receive/query',
      { page: 1, size: 1 },
    )
    const message = data?.list?.[0]
    return message ? `${route.path}?accountId=${message.accountId}&messageId=${message.id}` : null
  }
  if (document.kind !== 'detail' || document.entity === undefined) return route.path
  return at(route.record ?? 'id', await first(document.entity, document.view === undefined ? {} : { view: document.view }))
}

/** Words of worth that were looked for in the first screen of a list. */
let compared = 0

/** What a list exists for, and hides behind its edge: of each word the first column that it has; its sums, where they are not legible. */
function hiddenWorth({ page, entities }: Bundle, { columns, sums }: Stop): string[] {
  if (page.kind !== 'list' || page.entity === undefined || columns.length === 0) return []
  const worth = page.columnOrder === undefined ? (entities[page.entity]?.['x-worth'] ?? {}) : {}
  const hidden = ['title', 'amount', 'state', 'when'].flatMap((word) => {
    const first = (worth[word] ?? []).flatMap((field) => columns.filter(({ id }) => id === field))[0]
    if (first !== undefined) compared += 1
    return first === undefined || first.isSeen ? [] : [`the ${word} is not in the first screen: ${first.id}`]
  })
  return [...hidden, ...sums.map((sum) => `a sum is cut or covered: ${sum}`)]
}

function faultsOf(path: string, kind: string, { waits, title, alerts, says, raw, rows, sends, letters }: Stop): string[] {
  const told = says.join(' | ')
  const shows =
    {
      list: rows > 0 || says.length > 0 || 'neither rows nor a word why',
      form: sends || `nothing to send: ${told}`,
    }[kind] ??
    (letters > 20 || `nothing on it: ${told}`)
  return [
    ...(waits === '' ? [] : [`still waits for ${waits}`]),
    ...(title === '' ? ['no heading'] : []),
    // forms are opened without a record
    ...(kind === 'form' && /^(?:编辑|Edit )/.test(title) ? [`a new record is headed ${title}`] : []),
    ...alerts.map((alert) => `alert: ${alert}`),
    ...(SHOWS_KEYS.includes(path) ? [] : raw.map((line) => `raw text: ${line}`)),
    ...(shows === true ? [] : [shows]),
    ...(kind === 'list' && rows === 0 ? [`${NO_ROWS}: ${told}`] : []),
  ]
}
