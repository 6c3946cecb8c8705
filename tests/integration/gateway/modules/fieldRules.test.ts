import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import { notify } from '../../../../gateway/todos'
import { DEMO_PASSWORD } from '../../../../gateway/world'
import type { EntityModel, FieldModel } from '../../../../src/schema/entity'
import { askReport } from '../../../support/askReport'
import { startGateway, type Caller, type TestGateway } from '../../../support/gateway'
import { RULE_DEFAULTS } from '../../../../gateway/rules'
import { walksOf } from '../../../support/walkPart'

const { partOf: partOfWalk, walksAll } = walksOf(import.meta.filename)

/**
 * A field that a role does not see in clear is nowhere: not in the list, the detail, the export, the history or a reference to the
 * record; it cannot be sorted by, filtered by, searched for, summed up or overwritten.
 */

type Row = Record<string, unknown> & { id: string }
interface Person {
  role: string
  jobNumber: string
  caller: Caller
  keys: ReadonlySet<string>
  rules: Readonly<Record<string, string>>
}

const REFUSED = 10010003
const ACCOUNTS = '/crm/market-analysis/account-track'
const OVERVIEW = '/crm/market-analysis/overview'
const FUNNELS = '/crm/data-analysis/sales-funnels'
const isWalked = partOfWalk('field rules', 1 / 12)
const isTried = partOfWalk('closed fields', 1 / 3)
let test: TestGateway
let people: Person[]
let entities: EntityModel[]
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const { rows } = await test.gateway.database.query<{
    role: string
    jobNumber: string
    keys: string[]
    rules: Record<string, string>
  }>(
    `select distinct on (r.code) r.code as role, s.job_number as "jobNumber", r.button_keys as keys, r.field_rules as rules
     from sys_role r join sys_role_member m on m.role_id = r.id join sys_staff s on s.id = m.staff_id and s.status = 'active'
     where s.sign_in_disabled is not true and (m.until is null or m.until > now()) order by r.code, s.job_number`,
  )
  people = await Promise.all(
    rows.map(async ({ role, jobNumber, keys, rules }) => ({
      role,
      jobNumber,
      caller: await test.signIn(jobNumber, DEMO_PASSWORD),
      keys: new Set(keys),
      rules,
    })),
  )
  const { engine } = test.gateway
  entities = engine
    .names()
    .filter((name) => name.startsWith('crm.') || name.startsWith('csc.') || name.startsWith('fin.'))
    .map((name) => engine.model(name))
})
afterAll(() => test.close())

/** hide or mask for the person, by the words of the schema and the role alone; null = in clear. */
const closed = ({ keys, rules }: Person, model: EntityModel, field: FieldModel): 'hide' | 'mask' | null => {
  if (field.internal) return null
  const rule = rules[`${model.name}.${field.name}`]
  const sensitive = field.field['x-sensitive']
  if (rule === 'hide') return 'hide'
  return rule === 'mask' || (sensitive !== undefined && !keys.has(sensitive)) ? 'mask' : null
}
const lists = new Map<string, Promise<{ code: number; data: { records: Row[] } }>>()
/** What the person lists of an entity: asked for once for all its fields. */
const listOf = ({ role, caller }: Person, { name, path }: EntityModel) => {
  const key = `${role} ${name}`
  const known = lists.get(key) ?? caller.post<{ records: Row[] }>(`${path}/queryPage`, { pageSize: 1000 })
  lists.set(key, known)
  return known
}
/** Some rows that the person lists, with the value of a field as it is stored, as text. */
const rowsWith = async (person: Person, model: EntityModel, field: FieldModel): Promise<{ row: Row; clear: string }[]> => {
  const { code, data } = await listOf(person, model)
  if (code === REFUSED) return []
  expect(code).toBe(0)
  const { rows } = await test.gateway.database.query<{ id: string; clear: string }>(
    `select id, ${field.column}::text as clear from ${model.table} where id = any($1) and coalesce(${field.column}::text, '') not in ('', '0', '0.00')`,
    [data.records.map((row) => row.id)],
  )
  return rows.slice(0, 3).flatMap(({ id, clear }) => {
    const row = data.records.find((one) => one.id === id)
    return row ? [{ row, clear }] : []
  })
}
const listBy = ({ caller }: Person, { path }: EntityModel, body: object) =>
  caller.post<{ records: Row[]; total: number; summary?: object }>(`${path}/queryPage`, { pageSize: 5, ...body })

const staysClosed = async (person: Person, model: EntityModel, field: FieldModel, how: 'hide' | 'mask'): Promise<number> => {
  const about = `${person.role}: ${model.name}.${field.name} (${how})`
  const found = await rowsWith(person, model, field)
  const looks = (value: unknown, clear: string): void => {
    if (how === 'hide') expect(value, about).toBeUndefined()
    else expect(typeof value === 'object' ? JSON.stringify(value) : String(value as string), about).not.toBe(clear)
  }
  for (const { row, clear } of found) {
    looks(row[field.name], clear)
    const { data } = await person.caller.get<{ record: Row }>(`${model.path}/view/${row.id}`)
    looks(data.record[field.name], clear)
    if (clear.length > 6 && !/^[[{]/.test(clear)) {
      const { data: searched } = await listBy(person, model, { keyword: clear.slice(0, 90) })
      const readable = model.stored.filter((one) => one.field['x-search'] && closed(person, model, one) === null)
      const elsewhere = (one: Row): boolean =>
        readable.some(({ name }) =>
          String(one[name] as string)
            .toLowerCase()
            .includes(clear.toLowerCase()),
        )
      expect(
        searched.records.filter((one) => !elsewhere(one)),
        `${about} found by its value`,
      ).toEqual([])
    }
  }
  const [first] = found
  if (!first) return 0
  for (const body of [
    { sort: [{ field: field.name, order: 'asc' }] },
    { where: [{ field: field.name, operator: 'notEmpty' }] },
    { where: [{ field: field.name, operator: 'eq', value: first.clear }] },
  ])
    expect((await listBy(person, model, body)).code, `${about} ${JSON.stringify(body)}`).not.toBe(0)
  const summed = await listBy(person, model, { summary: [{ field: field.name, function: 'max' }] })
  if (summed.code === 0) expect(summed.data.summary ?? {}, about).toEqual({})
  if (model.permissions.export !== undefined && person.keys.has(model.permissions.export)) {
    const columns = [field.name, 'id'].map((name) => ({ field: name, title: name }))
    const response = await person.caller.raw('POST', `${model.path}/export`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ columns, format: 'csv', ids: [first.row.id] }),
    })
    const text = await response.text()
    if (!(response.headers.get('content-type') ?? '').includes('json'))
      for (const line of parse(text, { bom: true, columns: true }) as Record<string, string>[])
        expect(line[field.name] ?? '', about).not.toBe(first.clear)
  }
  await person.caller.post(`${model.path}/save`, {
    id: first.row.id,
    [field.name]: /^[\d.-]+$/.test(first.clear) ? '1' : 'x@y.zz',
  })
  const { rows } = await test.gateway.database.query<{ clear: string }>(
    `select ${field.column}::text as clear from ${model.table} where id = $1`,
    [first.row.id],
  )
  expect(rows[0]?.clear, `${about} after a save`).toBe(first.clear)
  const { data: log } = await person.caller.get<{ records: { changes: { field: string; before: unknown; after: unknown }[] }[] }>(
    `${model.path}/log/${first.row.id}?limit=200`,
  )
  for (const { changes } of log?.records ?? [])
    for (const change of changes.filter((one) => one.field === field.name)) {
      if (change.before) looks(change.before, first.clear)
      if (change.after) looks(change.after, first.clear)
    }
  return 1
}

const texts = new Map<string, Promise<Row[]>>()
/** All rows of an entity as they are stored: asked for once for all persons. */
const textsOf = ({ name, table }: EntityModel, fields: readonly FieldModel[]): Promise<Row[]> => {
  const columns = fields.map((field) => `"${field.column}" as "${field.name}"`).join(', ')
  const asked =
    texts.get(name) ??
    test.gateway.database.query<Row>(`select id, ${columns} from ${table} where deleted_at is null`).then(({ rows }) => rows)
  texts.set(name, asked)
  return asked
}
/**
 * What stands in fields that the person does not see in clear, with the record of it: texts that are told apart from all that he may
 * see. Read off the words of the schema and of the role alone, without what follows from them for copies.
 */
const secretsOf = async (person: Person): Promise<ReadonlyMap<string, string>> => {
  const secrets = new Map<string, string>()
  const open = new Set<string>()
  for (const model of test.gateway.engine.names().map((name) => test.gateway.engine.model(name))) {
    const fields = model.stored.filter(
      ({ kind, internal, origin }) =>
        !internal && origin === 'own' && ['string', 'phone', 'email', 'url', 'money', 'strings'].includes(kind),
    )
    if (fields.length === 0) continue
    const rows = await textsOf(model, fields)
    for (const field of fields) {
      const shut = closed(person, model, field) !== null
      // what stands about oneself is no secret to oneself: it stands under one's mails
      for (const row of rows.filter(({ jobNumber }) => model.name !== 'sys.staff' || jobNumber !== person.jobNumber))
        for (const value of [row[field.name]].flat())
          if (typeof value === 'string' && isTelling(value)) {
            if (shut) secrets.set(value, row.id)
            else if (field.field['x-copyOf'] === undefined) open.add(value)
          }
    }
  }
  for (const value of open) secrets.delete(value)
  return secrets
}
/** Everybody has a to-do that names a customer. */
const remindOfCustomers = async (): Promise<void> => {
  const { rows } = await test.gateway.database.query<{ id: string; name: string }>(
    `select id, name from crm_customer where deleted_at is null and length(name) > 8 order by id limit 1`,
  )
  const [customer] = rows
  const { rows: staff } = await test.gateway.database.query<{ id: string }>(
    `select id from sys_staff where job_number = any($1)`,
    [people.map(({ jobNumber }) => jobNumber)],
  )
  const todos = staff.map(({ id: staffId }) => ({
    staffId,
    kind: 'notice',
    title: { zh: `请联系${customer?.name}`, en: `Please call ${customer?.name}` },
    subject: { entity: 'crm.customer', id: customer?.id ?? '' },
    key: `test/${staffId}`,
  }))
  expect(await notify(test.gateway.database, todos, new Date())).toBe(people.length)
}
/** Short words, and figures of few digits, stand in many places by chance. */
const isTelling = (value: string): boolean =>
  /^-?\d+(\.\d+)?$/.test(value) ? (value.includes('.') ? value.replace(/\.?0*$/, '') : value).length > 8 : value.length > 5
const BEGINNING = 6
const BITS = 20
/** What a text begins with, as a number: nearly all places of an answer are passed over by it. */
const mark = (text: string, at: number): number =>
  ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2) * 7 + text.charCodeAt(at + 3)) &
  ((1 << BITS) - 1)
interface Index {
  marks: Uint8Array
  beginnings: Map<string, string[]>
}
const indexes = new WeakMap<ReadonlyMap<string, string>, Index>()
const indexOf = (secrets: ReadonlyMap<string, string>): Index => {
  const known = indexes.get(secrets)
  if (known) return known
  const made: Index = { marks: new Uint8Array(1 << BITS), beginnings: new Map() }
  for (const secret of secrets.keys()) {
    const written = JSON.stringify(secret).slice(1, -1)
    const beginning = written.slice(0, BEGINNING)
    made.marks[mark(written, 0)] = 1
    made.beginnings.set(beginning, [...(made.beginnings.get(beginning) ?? []), written])
  }
  indexes.set(secrets, made)
  return made
}
/** The secrets that stand in an answer as a whole: no part of a longer number. */
const metIn = (answer: string, secrets: ReadonlyMap<string, string>): string[] => {
  const { marks, beginnings } = indexOf(secrets)
  const met: string[] = []
  for (let at = 0; at + BEGINNING <= answer.length; at += 1) {
    if (marks[mark(answer, at)] === 0) continue
    for (const secret of beginnings.get(answer.slice(at, at + BEGINNING)) ?? []) {
      const around = /^[\d.+-]+$/.test(secret) ? `${answer[at - 1] ?? ''}${answer[at + secret.length] ?? ''}` : ''
      if (answer.startsWith(secret, at) && !/[\d.]/.test(around)) met.push(`${answer.slice(Math.max(0, at - 60), at)}[${secret}]`)
    }
  }
  return met
}

describe('fields that a role does not see in clear', () => {
  it('are nowhere, and can be neither used nor changed', async () => {
    const checked = new Map<string, number>()
    // something stands in the history of every closed field that can be changed
    await test.gateway.database.query(`update crm_contact set phone = '+8613812340001' where phone is null`)
    for (const person of people)
      for (const model of entities)
        for (const field of model.stored) {
          const how = closed(person, model, field)
          if (!how || !isTried(`${person.role} ${model.name}.${field.name}`)) continue
          const count = await staysClosed(person, model, field, how)
          checked.set(person.role, (checked.get(person.role) ?? 0) + count)
        }
    const four = ['finance', 'operations', 'risk', 'service'].map((role) => checked.get(role) ?? 0)
    if (walksAll) expect(Math.min(...four), four.join()).toBeGreaterThan(3)
    else expect(Math.max(...checked.values())).toBeGreaterThan(0)
  })

  it('do not stand in any other answer either, and find nothing: who knows customers by their alias meets no real name', async () => {
    const told = new Map<string, number>()
    const leaks: string[] = []
    await remindOfCustomers()
    const walk = async (person: Person): Promise<void> => {
      const secrets = await secretsOf(person)
      if (secrets.size === 0) return
      const meets = (answer: { text: string }, about: string): void => {
        told.set(person.role, (told.get(person.role) ?? 0) + 1)
        leaks.push(
          ...metIn(answer.text, secrets)
            .slice(0, 3)
            .map((met) => `${person.role}: ${about}: ${met}`),
        )
      }
      for (const call of ['/v2/crm/index/today', '/v2/crm/customer/claimQuota', '/v2/sys/staff/overseas/getUserInfo'])
        meets(await person.caller.get(call), call)
      for (const call of ['/v2/crm/index/customer/statistics', '/v2/crm/customer/ownershipMap', '/v2/crm/opportunity/funnel'])
        meets(await person.caller.post(call, {}), call)
      for (const page of [ACCOUNTS, OVERVIEW, FUNNELS])
        meets({ text: JSON.stringify((await askReport(person.caller, page))?.parts ?? null) }, page)
      for (const model of test.gateway.engine.names().map((name) => test.gateway.engine.model(name))) {
        if (!isWalked(`${person.role} ${model.name}`)) continue
        const page = await person.caller.post<{ records: Row[] }>(`${model.path}/queryPage`, { pageSize: 60 })
        if (page.code !== 0) continue
        meets(page, `the list of ${model.name}`)
        meets(await person.caller.post(`${model.path}/select`, { pageSize: 60 }), `the select list of ${model.name}`)
        for (const { id } of page.data.records.slice(0, 1)) {
          meets(await person.caller.get(`${model.path}/view/${id}`), `a ${model.name}`)
          meets(await person.caller.get(`${model.path}/log/${id}`), `the history of a ${model.name}`)
        }
        const greatest = model.stored
          .filter((field) => field.field['x-search'] && closed(person, model, field) === null)
          .map(({ name }) => ({ field: name, function: 'max' }))
        const together = await listBy(person, model, { summary: greatest })
        meets(together, `the greatest values of ${model.name}`)
        // one that may not be asked for refuses all
        if (together.code !== 0)
          for (const one of greatest)
            meets(await listBy(person, model, { summary: [one] }), `the greatest ${model.name}.${one.field}`)
        const columns = [...model.fields.values()]
          .filter(({ internal }) => !internal)
          .map(({ name }) => ({ field: name, title: name }))
        const exported = await person.caller.raw('POST', `${model.path}/export`, {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ columns, format: 'csv', ids: page.data.records.slice(0, 20).map(({ id }) => id) }),
        })
        meets({ text: await exported.text() }, `the export of ${model.name}`)
        const related = new Set(
          page.data.records.flatMap((row) => Object.values(row).filter((value) => typeof value === 'string')),
        )
        const words = [...secrets].filter(([word, of]) => word.length > 8 && related.has(of)).map(([word]) => word)
        for (const keyword of words.slice(0, 2)) {
          const found = await listBy(person, model, { keyword })
          expect(found.data?.total ?? 0, `${person.role}: ${model.name} by the keyword ${keyword}`).toBe(0)
        }
      }
    }
    const always = ['finance', 'operations', 'service']
    await Promise.all(people.filter(({ role }) => always.includes(role) || isTried(`${role} other answers`)).map(walk))
    expect(leaks).toEqual([])
    for (const role of always) expect(told.get(role) ?? 0, role).toBeGreaterThan(walksAll ? 60 : 20)
    // every list of every person: it grows with the entities
  }, 300_000)

  it('do not find what refers to their record: an alias change is found by the name of its customer only where that is clear', async () => {
    const { rows } = await test.gateway.database.query<{ name: string }>(
      `select c.name from crm_alias_record a join crm_customer c on c.id = a.customer_id
       where a.deleted_at is null and c.deleted_at is null and length(c.name) > 8 order by a.id limit 1`,
    )
    const found = async (role: string): Promise<number | undefined> => {
      const caller = people.find((one) => one.role === role)?.caller
      return (await caller?.post<{ total: number }>('/v2/crm/aliasRecord/queryPage', { keyword: rows[0]?.name, pageSize: 1 }))
        ?.data.total
    }
    expect(await found('generalManager')).toBeGreaterThan(0)
    expect(await found('operations')).toBe(0)
  })

  it('are not told by what a job did or a rule would do, nor by the run or the new alias that stands in the records', async () => {
    const fieldRules = { 'crm.customer.name': 'mask', 'fin.customerMonth.revenue': 'hide', 'crm.customer.alias': 'hide' }
    const keys = ['crm:param:manage', 'crm:customer:viewProfit', 'crm:customer:viewSensitive', 'crm:agent:viewCommission']
    await test.addStaff({ id: 'T9201', jobNumber: 'T9201', keys, scopes: { '*': ['all'] } })
    await test.addStaff({ id: 'T9202', jobNumber: 'T9202', keys, scopes: { '*': ['all'] }, fieldRules })
    const [open, closed] = [await test.signIn('T9201'), await test.signIn('T9202')]
    const { rows: before } = await test.gateway.database.query<{ id: string; level: string }>(
      `select id, level from crm_customer where level in ('b', 'c') and deleted_at is null`,
    )
    const ids = before.map(({ id }) => id)
    await test.gateway.database.query(`update crm_customer set level = 'd' where id = any($1)`, [ids])
    interface Told {
      rows: Row[]
      figures: { id: string; value: number }[]
    }
    const ran = await closed.post<{ id: string; report: Told }>('/v2/sys/job/run', { job: 'crm.level', dry: true })
    expect(ran.code, ran.msg).toBe(0)
    const again = (caller: Caller) => caller.get<{ report: Told }>(`/v2/sys/job/run/${ran.data.id}`)
    const preview = (caller: Caller) =>
      caller.post<{ effect: Told }>('/v2/sys/rule/preview/crm.level', RULE_DEFAULTS['crm.level'])
    const clear = [(await again(open)).data.report, (await preview(open)).data.effect]
    const told = [(await again(closed)).data.report, (await preview(closed)).data.effect]
    await test.gateway.database.query(
      `update crm_customer c set level = b.level from unnest($1::text[], $2::text[]) as b(id, level) where c.id = b.id`,
      [ids, before.map(({ level }) => level)],
    )
    for (const [index, report] of told.entries()) {
      const all = clear[index]
      expect(all?.rows.length).toBeGreaterThan(0)
      expect(report.figures).toEqual(all?.figures)
      expect(report.rows).toEqual(
        all?.rows.map((row) => ({ ...row, customer: '***', points: '***', revenue: '***', margin: '***' })),
      )
    }
    expect(ran.data.report).toEqual(told[0])
    const record = async (caller: Caller) => (await caller.get<{ record: Row }>(`/v2/sys/jobRun/view/${ran.data.id}`)).data.record
    expect(await record(open)).toHaveProperty('report.rows')
    expect(await record(closed)).not.toHaveProperty('report.rows')
    const alias = async (caller: Caller): Promise<Row | undefined> =>
      (await caller.post<{ records: Row[] }>('/v2/crm/aliasRecord/queryPage', { pageSize: 1 })).data.records[0]
    expect(await alias(open)).toHaveProperty('newAlias')
    expect(await alias(closed)).not.toHaveProperty('newAlias')
  })

  it('are in no figure that is made of them: not in a report, the traffic of a customer or the day, and not in a greatest value', async () => {
    const FUNNEL = '/v2/crm/opportunity/funnel'
    const MAP = '/v2/crm/customer/ownershipMap'
    /** A field, the part of a report that tells of it, and its figures there; none: the part is grouped by it. */
    const FIGURES: [field: string, report: string, part: string, figures: string[]][] = [
      ['crm.opportunity.amount', FUNNEL, 'pipeline', ['amount', 'amountUsd']],
      ['crm.opportunity.weighted', FUNNEL, 'pipeline', ['weighted', 'weightedUsd']],
      ['crm.opportunity.amount', FUNNEL, 'totals', ['wonTotalUsd']],
      ['crm.opportunity.weighted', FUNNEL, 'totals', ['openTotalUsd']],
      ['crm.opportunity.ownerId', FUNNEL, 'owners', []],
      ['crm.opportunity.loseReason', FUNNELS, 'reasons', []],
      ['crm.customer.stage', MAP, 'rows', ['dealt', 'silent', 'counted']],
      ['crm.customer.recycleOn', MAP, 'rows', ['recycling']],
      ['crm.customer.lastFollowAt', MAP, 'rows', ['lastActivity']],
      ['fin.customerAccount.track', ACCOUNTS, 'states', []],
      ['fin.customerAccount.openedAt', ACCOUNTS, 'months', []],
      ['fin.customerAccount.firstTrafficAt', ACCOUNTS, 'products', ['neverStarted', 'neverShare', 'medianDays']],
      ['crm.customer.source', OVERVIEW, 'customerSources', []],
      ['crm.customer.firstDealAt', OVERVIEW, 'totals', ['dealt']],
      ['csc.clue.status', OVERVIEW, 'clueSources', ['converted', 'invalid', 'conversion']],
    ]
    const keys = ['crm:data-analysis:sales-funnels', 'crm:customer:viewDepartment', 'crm:customer:viewSensitive']
    const reports = ['crm:market-analysis:account-track', 'crm:market-analysis:overview']
    const enter = async (jobNumber: string, rule?: string): Promise<Caller> => {
      const fields = [...FIGURES.map(([field]) => field), 'fin.accountDay.volume', 'crm.customer.nextFollowAt']
      const fieldRules = rule === undefined ? {} : Object.fromEntries(fields.map((field) => [field, rule]))
      await test.addStaff({ id: jobNumber, jobNumber, keys: [...keys, ...reports], scopes: { '*': ['all'] }, fieldRules })
      return test.signIn(jobNumber)
    }
    const open = await enter('T9101')
    const closed = [await enter('T9102', 'hide'), await enter('T9103', 'mask')]
    const partOf = async (caller: Caller, report: string, part: string): Promise<Record<string, unknown>[]> => {
      if ([ACCOUNTS, OVERVIEW, FUNNELS].includes(report)) return (await askReport(caller, report))?.parts[part]?.rows ?? []
      const { code, msg, data } = await caller.post<Record<string, Record<string, unknown>[]>>(report)
      expect(code, `${report}: ${msg}`).toBe(0)
      return data[part] ?? []
    }
    const has = (rows: readonly Record<string, unknown>[], figure: string): boolean =>
      rows.some((row) => (row[figure] ?? null) !== null)
    for (const [field, report, part, figures] of FIGURES) {
      const all = await partOf(open, report, part)
      for (const figure of figures) expect(has(all, figure), `${figure} of ${part}`).toBe(true)
      expect(all.length, part).toBeGreaterThan(0)
      for (const caller of closed) {
        const told = await partOf(caller, report, part)
        if (figures.length === 0) expect(told, `${part} without ${field}`).toEqual([])
        for (const figure of figures) expect(has(told, figure), `${figure} of ${part} without ${field}`).toBe(false)
      }
    }
    const { rows } = await test.gateway.database.query<{ id: string }>(
      `select a.customer_id as id from fin_customer_account a join fin_account_day d on d.account_id = a.id
       where d.day >= current_date - 60 and not coalesce(d.test, false) and a.deleted_at is null and d.deleted_at is null
       group by 1 order by sum(d.volume) desc, 1 limit 1`,
    )
    const traffic = (caller: Caller) => caller.get<unknown[]>(`/v2/crm/customer/traffic/${rows[0]?.id}`)
    expect((await traffic(open)).data.length).toBeGreaterThan(0)
    for (const caller of closed) {
      expect(await traffic(caller)).toMatchObject({ code: 0, data: [] })
      expect((await caller.get('/v2/crm/index/today')).code).toBe(0)
    }
    // the log masks the titles of records whose title a reader sees masked; the greatest of them would be one in clear
    const administrator = people.find((one) => one.role === 'administrator')?.caller
    const log = (body: object) =>
      administrator?.post<{ total: number; records: Row[] }>('/v2/sys/auditLog/queryPage', {
        where: [{ field: 'entity', operator: 'eq', value: 'crm.bukaAccount' }],
        ...body,
      })
    const title = 'nobody@secret.example'
    const at = new Date().toISOString()
    await test.gateway.engine.transaction(systemContext({ now: new Date() }), (entities) =>
      entities.insertMany('sys.auditLog', [
        { id: newId(), at, entity: 'crm.bukaAccount', recordId: 'b1', recordTitle: title, action: 'update', changes: [] },
      ]),
    )
    const masked = await log({})
    expect(masked?.data.records.length).toBeGreaterThan(0)
    expect(masked?.text).not.toContain(title)
    const found = await log({ keyword: title })
    expect(found?.data.total).toBe(0)
    for (const name of ['min', 'max'])
      expect((await log({ summary: [{ field: 'recordTitle', function: name }] }))?.code).not.toBe(0)
  })
})
