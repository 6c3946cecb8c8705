import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../../../gateway/world'
import type { EntityModel } from '../../../../src/schema/entity'
import { askReport } from '../../../support/askReport'
import { startGateway, type Caller, type TestGateway } from '../../../support/gateway'
import { walksOf } from '../../../support/walkPart'

const { partOf, walksAll } = walksOf(import.meta.filename)

/**
 * For every role and every CRM entity: what the list, the count, the detail, the export, the search and the select list show is
 * the same set of rows, and what a row shows is the same in all of them.
 */

type Row = Record<string, unknown> & { id: string }
interface Person {
  role: string
  staffId: string
  caller: Caller
}

const SAMPLE = 4
const PAGE = 1000
/** Rows of a view that are looked at. */
const SEEN = 200
const REFUSED = 10010003
const TRACK = '/crm/market-analysis/account-track'
const OVERVIEW = '/crm/market-analysis/overview'
const OUTSIDE = 10010004

/** What many roles are asked of in every run; of customers all are. */
const OFTEN = ['biz.commission', 'fin.customerAccount', 'fin.customerMonth']
const isWalked = partOf('row scopes', 1 / 12)
const isOften = partOf('row scopes of every run', 1 / 4)
const walks = (role: string, entity: string): boolean =>
  entity === 'crm.customer' || (OFTEN.includes(entity) ? isOften : isWalked)(`${role} ${entity}`)

let test: TestGateway
let people: Person[]
let entities: EntityModel[]
/** Sums that were compared with rows. */
let sums = 0
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const { rows } = await test.gateway.database.query<{ role: string; staffId: string; jobNumber: string }>(
    `select distinct on (r.code) r.code as role, s.id as "staffId", s.job_number as "jobNumber" from sys_role r join sys_role_member m on m.role_id = r.id
       join sys_staff s on s.id = m.staff_id and s.status = 'active' where s.sign_in_disabled is not true and (m.until is null or m.until > now())
     order by r.code, s.job_number`,
  )
  people = await Promise.all(
    rows.map(async ({ role, staffId, jobNumber }) => ({ role, staffId, caller: await test.signIn(jobNumber, DEMO_PASSWORD) })),
  )
  const { engine } = test.gateway
  entities = engine
    .names()
    .filter((name) => name.startsWith('crm.') || name.startsWith('csc.') || name.startsWith('fin.') || name.startsWith('biz.'))
    .sort((a, b) => Number(b === 'crm.customer') - Number(a === 'crm.customer'))
    .map((name) => engine.model(name))
})
afterAll(() => test.close())

/** Every row that a list shows, or null when the person may not list the entity at all. */
const listed = async ({ caller }: Person, { path }: EntityModel): Promise<Map<string, Row> | null> => {
  const found = new Map<string, Row>()
  for (let pageNo = 1; ; pageNo += 1) {
    const answer = await caller.post<{ records: Row[]; total: number }>(`${path}/queryPage`, { pageNo, pageSize: PAGE })
    if (answer.code === REFUSED) return null
    expect(answer.code, `${path} ${answer.msg}`).toBe(0)
    for (const record of answer.data.records) found.set(record.id, record)
    if (pageNo * PAGE >= answer.data.total) {
      expect(found.size, `the total of ${path}`).toBe(answer.data.total)
      return found
    }
  }
}
/** What a list without a range of days may show: of records at volume the last days. */
const stored = async ({ table, document, fields }: EntityModel): Promise<string[]> => {
  const { by, windowDays } = document['x-partition'] ?? {}
  const window =
    by === undefined
      ? ''
      : `and ${fields.get(by)!.column} >= $1::timestamptz - interval '${windowDays} days' and ${fields.get(by)!.column} <= $1`
  const { rows } = await test.gateway.database.query<{ id: string }>(
    `select id from ${table} where deleted_at is null ${window} order by md5(id)`,
    window === '' ? [] : [test.clock.now().toISOString()],
  )
  return rows.map((row) => row.id)
}
/** Fields that come from the database as they are: those that the clock or a service fills may differ from call to call. */
const facts = (model: EntityModel, row: Row): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => model.fields.get(name)?.storage === 'stored'))

const sameDetail = async (
  { caller, role }: Person,
  model: EntityModel,
  seen: Map<string, Row>,
  all: readonly string[],
): Promise<void> => {
  for (const id of [...seen.keys()].slice(0, SAMPLE)) {
    const { code, data } = await caller.get<{ record: Row }>(`${model.path}/view/${id}`)
    expect(code, `${role} opens ${model.name} ${id}`).toBe(0)
    expect(facts(model, data.record), `${role} sees the same of ${model.name} ${id}`).toEqual(facts(model, seen.get(id) as Row))
  }
  for (const id of all.filter((one) => !seen.has(one)).slice(0, SAMPLE)) {
    const { code } = await caller.get(`${model.path}/view/${id}`)
    expect(code, `${role} does not open ${model.name} ${id}`).toBe(OUTSIDE)
  }
}
const sameExport = async ({ caller, role }: Person, model: EntityModel, seen: Map<string, Row>): Promise<void> => {
  if (model.permissions.export === undefined) return
  const response = await caller.raw('POST', `${model.path}/export`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ columns: [{ field: 'id', title: 'id' }], format: 'csv' }),
  })
  const text = await response.text()
  if (response.headers.get('content-type')?.includes('json')) {
    const { code } = JSON.parse(text) as { code: number }
    expect(code, `${role} may not export ${model.name}`).toBe(REFUSED)
    return
  }
  const rows = parse(text, { bom: true, columns: true }) as { id: string }[]
  expect(new Set(rows.map((row) => row.id)), `${role} exports of ${model.name} what he lists`).toEqual(new Set(seen.keys()))
}
const sameSelect = async (
  { caller, role }: Person,
  model: EntityModel,
  seen: Map<string, Row>,
  all: readonly string[],
): Promise<void> => {
  const asked = all.slice(0, 500)
  const { code, data } = await caller.post<{ id: string }[]>(`${model.path}/select`, { ids: asked })
  if (code === REFUSED) return
  expect(code, `${role} selects ${model.name}`).toBe(0)
  expect(data.map((option) => option.id).sort(), `${role} selects of ${model.name} what he lists`).toEqual(
    asked.filter((id) => seen.has(id)).sort(),
  )
}
/** A word of a row that the person does not see finds nothing that the list does not hold. */
const sameSearch = async ({ caller, role }: Person, model: EntityModel, seen: Map<string, Row>): Promise<void> => {
  const searched = model.stored.filter((one) => one.field['x-search'] === true && !one.internal)
  const text = searched.find(({ kind }) => kind !== 'ref')
  const ref = searched.find(({ kind }) => kind === 'ref')
  // a reference is searched by what its record is called
  const words = [
    text && `select left(t.${text.column}::text, 6) as word, t.id from ${model.table} t where t.${text.column} is not null`,
    ref && `select left(r.name, 6) as word, t.id from ${model.table} t join crm_customer r on r.id = t.${ref.column} where true`,
  ].flatMap((words) => (words ? [`(${words} and t.deleted_at is null order by md5(t.id) limit 2)`] : []))
  if (words.length === 0) return
  const { rows } = await test.gateway.database.query<{ word: string }>(words.join(' union all '))
  for (const { word } of rows.filter((row) => row.word.trim().length > 1)) {
    const { code, data } = await caller.post<{ records: Row[]; total: number }>(`${model.path}/queryPage`, {
      keyword: word,
      pageSize: PAGE,
    })
    expect(code).toBe(0)
    for (const record of data.records)
      expect(seen.has(record.id), `${role} finds ${model.name} ${record.id} by "${word}"`).toBe(true)
  }
}
/** A keyword finds in the list and in the select list the same rows, none that the person does not see. */
const sameKeyword = async ({ caller, role }: Person, model: EntityModel, seen: Map<string, Row>): Promise<void> => {
  const word = [...seen.values()]
    .map((row) => row[model.titleField])
    .find((title) => typeof title === 'string' && title.length > 3)
  if (typeof word !== 'string') return
  const keyword = word.slice(0, 40)
  const found = await caller.post<{ records: Row[] }>(`${model.path}/queryPage`, { keyword, pageSize: PAGE })
  const offered = await caller.post<{ id: string }[]>(`${model.path}/select`, { keyword, pageSize: 500 })
  expect([found.code, offered.code], `${role} looks for ${model.name} "${keyword}"`).toEqual([0, 0])
  expect(offered.data.map((one) => one.id).sort(), `${role} is offered of ${model.name} what he finds`).toEqual(
    found.data.records
      .map((one) => one.id)
      .slice(0, 500)
      .sort(),
  )
  for (const { id } of offered.data) expect(seen.has(id), `${role} is offered ${model.name} ${id}`).toBe(true)
}
/** Kinds that a list adds up. */
const SUMMED = ['integer', 'decimal', 'money']
const MOST_SUMS = 20
const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
/** Sums are those of the listed rows, for each currency; what a row shows masked or not at all is not told as a sum either. */
const sameSummary = async ({ caller, role }: Person, model: EntityModel, seen: Map<string, Row>): Promise<void> => {
  const rows = [...seen.values()]
  const numbers = model.stored.filter(({ kind, internal, name }) => SUMMED.includes(kind) && !internal && name !== 'version')
  const ask = (names: readonly string[]) =>
    caller.post<{ summary?: Record<string, unknown> }>(`${model.path}/queryPage`, {
      pageSize: 1,
      summary: names.map((field) => ({ field, function: 'sum' })),
    })
  for (const { name } of numbers) {
    const given = rows.map((row) => row[name]).filter((value) => (value ?? null) !== null)
    if (given.length > 0 && given.every(isNumeric)) continue
    const hidden = given.length > 0 || (rows.length > 0 && rows.every((row) => !(name in row)))
    if (!hidden) continue
    const { data } = await ask([name])
    expect(data.summary?.[name] ?? null, `${role} is not told the sum of ${model.name}.${name}`).toBeNull()
    expect(data.summary?.[`${name}ByCurrency`], `${role} is not told the sums of ${model.name}.${name}`).toBeUndefined()
  }
  const shown = numbers.filter(({ name }) => {
    const given = rows.map((row) => row[name]).filter((value) => (value ?? null) !== null)
    return given.length > 0 && given.every(isNumeric)
  })
  if (shown.length === 0) return
  const asked = shown.slice(0, MOST_SUMS)
  const { code, data, msg } = await ask(asked.map(({ name }) => name))
  expect(code, `${role} sums ${model.name}: ${msg}`).toBe(0)
  for (const { name, kind, field } of asked) {
    const currency = kind === 'money' ? field['x-money'] : undefined
    const byCurrency = data.summary?.[`${name}ByCurrency`] as Record<string, string> | undefined
    const sumOf = (code?: string): number =>
      rows
        .filter((row) => code === undefined || (currency !== undefined && (row[currency] ?? '') === code))
        .reduce((sum, row) => sum + Number(row[name] ?? 0), 0)
    if (byCurrency)
      for (const [code, value] of Object.entries(byCurrency))
        expect(Number(value), `${role} sums ${model.name}.${name} in ${code}`).toBeCloseTo(sumOf(code), 2)
    else expect(Number(data.summary?.[name]), `${role} sums ${model.name}.${name}`).toBeCloseTo(sumOf(), 2)
    sums += 1
  }
}
/** Rows of a record's tabs: of a customer that the person sees they are among what he lists, of another one there are none. */
const sameTabs = async (person: Person, model: EntityModel, seen: Map<string, Row>, customers: ReadonlySet<string>) => {
  if (model.scope.kind !== 'parent' || model.scope.entity !== 'crm.customer') return
  const field = model.scope.field
  // a row without the parent, such as the commission of a star promoter, stands in no tab
  for (const row of [...seen.values()].filter((one) => one[field]).slice(0, SAMPLE)) {
    const where = [{ field, operator: 'eq', value: row[field] }]
    const { data } = await person.caller.post<{ records: Row[]; total: number }>(`${model.path}/queryPage`, {
      where,
      pageSize: PAGE,
    })
    const expected = [...seen.values()].filter((one) => one[field] === row[field]).map((one) => one.id)
    expect(data.records.map((one) => one.id).sort(), `${person.role}: ${model.name} of one customer`).toEqual(expected.sort())
  }
  const { rows } = await test.gateway.database.query<{ id: string; customer: string }>(
    `select id, ${model.fields.get(field)?.column} as customer from ${model.table} where deleted_at is null and ${model.fields.get(field)?.column} is not null order by md5(id)`,
  )
  const hidden = rows.filter((row) => !customers.has(row.customer) && !seen.has(row.id)).slice(0, SAMPLE)
  for (const { customer, id } of hidden) {
    const where = [{ field, operator: 'eq', value: customer }]
    const { data } = await person.caller.post<{ records: Row[] }>(`${model.path}/queryPage`, { where, pageSize: PAGE })
    expect(
      data.records.map((one) => one.id),
      `${person.role}: ${model.name} of a customer he does not see`,
    ).not.toContain(id)
  }
}

/** Every view that is no pool narrows the list; it never widens it. */
const narrowerViews = async ({ caller, role }: Person, model: EntityModel, seen: Map<string, Row>): Promise<void> => {
  for (const view of model.views.values()) {
    if (view.scope === 'pool') continue
    const { code, data } = await caller.post<{ records: Row[]; total: number }>(`${model.path}/queryPage`, {
      view: view.id,
      pageSize: SEEN,
    })
    if (code === REFUSED) continue
    expect(code).toBe(0)
    expect(data.records.length, `${role}: the total of ${model.name} in ${view.id}`).toBe(Math.min(data.total, SEEN))
    for (const record of data.records)
      expect(seen.has(record.id), `${role} sees ${model.name} ${record.id} in ${view.id}`).toBe(true)
  }
}

describe('what each role sees of CRM', () => {
  it('is the same set in lists, counts, details, exports, searches and select lists (R298)', async () => {
    expect(people.length).toBeGreaterThanOrEqual(8)
    expect(entities.length).toBeGreaterThanOrEqual(12)
    const { rows: roles } = await test.gateway.database.query<{ code: string }>(`select code from sys_role order by code`)
    expect(people.map((one) => one.role).sort()).toEqual(roles.map((row) => row.code).sort())
    const sizes = new Map<string, number[]>()
    const reach = new Map<string, ReadonlySet<string>>()
    const customersOf = async (person: Person): Promise<ReadonlySet<string>> => {
      const known = reach.get(person.role) ?? new Set((await listed(person, test.gateway.engine.model('crm.customer')))?.keys())
      reach.set(person.role, known)
      return known
    }
    for (const model of entities) {
      const all = await stored(model)
      const live = new Set(all)
      for (const person of people) {
        if (!walks(person.role, model.name)) continue
        const seen = await listed(person, model)
        if (seen === null) {
          const [id] = all
          if (id === undefined) continue
          const { code } = await person.caller.get(`${model.path}/view/${id}`)
          expect([REFUSED, OUTSIDE], `${person.role} opens no ${model.name}`).toContain(code)
          continue
        }
        for (const id of seen.keys()) if (!live.has(id)) expect(id, `${person.role}: a deleted ${model.name}`).toBe('')
        sizes.set(model.name, [...(sizes.get(model.name) ?? []), seen.size])
        await sameDetail(person, model, seen, all)
        await sameExport(person, model, seen)
        await sameSelect(person, model, seen, all)
        await sameSearch(person, model, seen)
        await sameKeyword(person, model, seen)
        await sameSummary(person, model, seen)
        if (model.name === 'crm.customer') reach.set(person.role, new Set(seen.keys()))
        else await sameTabs(person, model, seen, await customersOf(person))
        await narrowerViews(person, model, seen)
      }
    }
    // the test would prove nothing if everybody saw everything
    expect(new Set(sizes.get('crm.customer')).size).toBeGreaterThan(2)
    const most = ['biz.commission', 'fin.customerAccount', 'fin.customerMonth'].map((name) =>
      Math.max(0, ...(sizes.get(name) ?? [])),
    )
    expect(walksAll ? Math.min(...most) : Math.max(...most), most.join()).toBeGreaterThan(0)
    expect(sums).toBeGreaterThan(walksAll ? 20 : 2)
    // every list of every role: it grows with the entities
  }, 300_000)

  it('is what the reports count, and what their numbers lead to (R015)', async () => {
    const asked = new Map<string, number>()
    for (const person of people) {
      const { caller, role } = person
      const list = async (path: string, where: object[] = [], view?: string): Promise<number> =>
        (await caller.post<{ total: number }>(`${path}/queryPage`, { where, pageSize: 1, view })).data.total
      const report = async (path: string, body: object = {}): Promise<Record<string, Row[]> | null> => {
        const { code, data } = await caller.post<Record<string, Row[]>>(path, body)
        if (code === REFUSED) return null
        expect(code, `${role} ${path}`).toBe(0)
        asked.set(path, (asked.get(path) ?? 0) + 1)
        return data
      }
      const sum = (rows: Row[] | undefined, name: string): number =>
        (rows ?? []).reduce((all, row) => all + Number(row[name] ?? 0), 0)
      const funnel = await report('/v2/crm/opportunity/funnel')
      if (funnel)
        for (const stage of ['s1', 's2', 's3', 's4', 's5'])
          expect(
            sum(
              funnel.pipeline?.filter((row) => row.stage === stage),
              'openHere',
            ),
            `${role}: open in ${stage}`,
          ).toBe(await list('/v2/crm/opportunity', [{ field: 'stage', operator: 'eq', value: stage }]))
      const map = await report('/v2/crm/customer/ownershipMap')
      if (map)
        expect(sum(map.rows, 'held'), `${role}: who owns what`).toBe(
          await list('/v2/crm/customer', [{ field: 'ownerId', operator: 'notEmpty' }], 'visible'),
        )
      const accounts = await askReport(caller, TRACK)
      if (accounts) asked.set(TRACK, (asked.get(TRACK) ?? 0) + 1)
      for (const { track, accounts: count } of accounts?.parts.states?.rows ?? [])
        expect(count, `${role}: accounts ${String(track)}`).toBe(
          await list('/v2/fin/customerAccount', [{ field: 'track', operator: 'eq', value: track }]),
        )
    }
    for (const [path, count] of asked) expect(count, path).toBeGreaterThanOrEqual(2)
    expect(asked.size).toBe(3)
  })

  it('is what the traffic of a customer and the counts of the home page are made of (R319)', async () => {
    const { database } = test.gateway
    // the customers with the most traffic, so that an answer with somebody else's would show
    const { rows: busy } = await database.query<{ id: string }>(
      `select c.id from crm_customer c join fin_customer_account a on a.customer_id = c.id and a.deleted_at is null
         join fin_account_day d on d.account_id = a.id and d.deleted_at is null
       where c.deleted_at is null group by c.id order by sum(d.volume) desc, c.id limit 12`,
    )
    const answers = { lines: 0, none: 0, mine: 0 }
    for (const { role, staffId, caller } of people) {
      const total = async (path: string, where: object[]): Promise<number | null> => {
        const { code, data } = await caller.post<{ total: number }>(`${path}/queryPage`, { where, pageSize: 1 })
        return code === REFUSED ? null : data.total
      }
      for (const { id } of busy) {
        const accounts = await caller.post<{ records: Row[] }>('/v2/fin/customerAccount/queryPage', {
          where: [{ field: 'customerId', operator: 'eq', value: id }],
          pageSize: 100,
        })
        const products = accounts.code === 0 ? new Set(accounts.data.records.map((row) => row.product)) : new Set()
        const { code, data } = await caller.get<{ product: string }[] | null>(`/v2/crm/customer/traffic/${id}`)
        const told = code === 0 ? (data ?? []) : []
        for (const { product } of told) expect(products.has(product), `${role}: traffic of ${product} of ${id}`).toBe(true)
        answers[told.length > 0 ? 'lines' : 'none'] += 1
      }
      const { data: home } = await caller.post<{ myCustomer: number }>('/v2/crm/index/customer/statistics', {})
      const mine = await total('/v2/crm/customer', [
        { field: 'ownerId', operator: 'eq', value: staffId },
        { field: 'holding', operator: 'eq', value: 'private' },
        { field: 'partyType', operator: 'eq', value: 'customer' },
      ])
      if (mine === null) continue
      expect(home.myCustomer, `${role}: my customers`).toBe(mine)
      answers.mine += home.myCustomer
    }
    for (const [name, count] of Object.entries(answers)) expect(count, name).toBeGreaterThan(0)
  })

  it('is all that any other answer names: the day, to-dos, reports, downloads', async () => {
    const { rows: all } = await test.gateway.database.query<{ id: string; name: string }>(
      `select id, name from crm_customer where deleted_at is null and length(name) > 6`,
    )
    let unseen = 0
    for (const { role, caller } of people) {
      if (!isOften(`${role} other answers`)) continue
      const known = new Set<string>()
      for (const view of [undefined, 'sea']) {
        const { data } = await caller.post<{ records: Row[] } | null>('/v2/crm/customer/queryPage', { view, pageSize: PAGE })
        for (const { id } of data?.records ?? []) known.add(id)
      }
      const names = all.filter(({ id }) => !known.has(id)).map(({ name }) => JSON.stringify(name).slice(1, -1))
      unseen += names.length
      const { data: day } = await caller.get<{ groups: { id: string }[] }>('/v2/crm/index/today')
      const answers: Record<string, string> = {
        // what somebody else offers him, or asks of him, has its name
        today: JSON.stringify((day?.groups ?? []).filter(({ id }) => !['shares', 'appeals'].includes(id))),
        downloads: (await caller.post('/v2/download/downloadCenter/api/task/queryPage', { pageSize: 100 })).text,
        statistics: (await caller.post('/v2/crm/index/customer/statistics')).text,
      }
      for (const path of ['opportunity/funnel', 'customer/ownershipMap', 'seaRecord/queryPage'])
        answers[path] = (await caller.post(`/v2/crm/${path}`)).text
      for (const path of [TRACK, OVERVIEW]) answers[path] = JSON.stringify((await askReport(caller, path))?.parts ?? null)
      for (const [call, text] of Object.entries(answers))
        expect(
          names.filter((name) => text.includes(name)),
          `${role}: ${call}`,
        ).toEqual([])
    }
    expect(unseen).toBeGreaterThan(100)
  })

  it('opens the sea to whoever holds its menu, with masks, and exports it by its own key only', async () => {
    for (const { role, caller } of people) {
      const { code, data } = await caller.post<{ records: Row[] }>('/v2/crm/contact/queryPage', { view: 'sea', pageSize: 50 })
      if (code === REFUSED) continue
      expect(code, role).toBe(0)
      for (const contact of data.records) {
        expect(contact, role).not.toHaveProperty('im')
        for (const name of ['email', 'mobile', 'phone']) if (contact[name]) expect(String(contact[name]), role).toContain('*')
      }
      const answer = await caller.raw('POST', '/v2/crm/customer/export', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ view: 'sea', columns: [{ field: 'code', title: 'code' }], format: 'csv' }),
      })
      const refused = (answer.headers.get('content-type') ?? '').includes('json')
      await answer.text()
      expect(refused, `${role} exports the sea`).toBe(role !== 'salesManager')
    }
  })
})
