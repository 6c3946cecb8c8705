import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldRulesOf } from '../../../../gateway/services'
import { DEMO_PASSWORD } from '../../../../gateway/world'
import { compilePage, type CompileBundle } from '../../../../src/schema/compile'
import type { EntityModel, FieldAccess, FieldModel } from '../../../../src/schema/entity'
import { exposureOf, overexposed } from '../../../../src/schema/proof'
import { startGateway, type Caller, type TestGateway } from '../../../support/gateway'
import { walksOf } from '../../../support/walkPart'
import { sheetsOf } from '../../../support/workbook'

const { partOf, walksAll } = walksOf(import.meta.filename)

/**
 * For every page, every role and every field: nothing hidden is asked for, shown, answered or taken. One more role that holds
 * every key and whose rules hide, mask or lock fields all over is the hardest case.
 */

type Row = Record<string, unknown> & { id: string }
interface Person {
  role: string
  caller: Caller
  permissions: ReadonlySet<string>
  rules: Readonly<Record<string, FieldAccess>>
}

const REFUSED = 10010003
const RULES = ['hide', 'mask', 'read', undefined, undefined] as const
const MY_CLIENT = 'page:crm/my-client'

const isWalked = partOf('field proof', 1 / 12)
const isImported = partOf('field proof of imports', 1 / 4)
const isOfTheHardest = partOf('field proof of the hardest rules', 1 / 4)
/** Roles × what they have, more of the one whose rules are the hardest. */
const walks = (who: Person, what: string): boolean =>
  who.role === 'blind' ? isOfTheHardest(what) : isWalked(`${who.role} ${what}`)
/** What the whole walk meets at least; a part meets some of it. */
const least = (ofAll: number): number => (walksAll ? ofAll : ofAll / 10)

let test: TestGateway
let people: Person[]
let blind: Person
let admin: Caller

const access = ({ rules }: Person, entity: string, field: string): FieldAccess => rules[`${entity}.${field}`] ?? 'write'
const restricted = (person: Person, model: EntityModel): FieldModel[] =>
  [...model.fields.values()].filter((field) => !field.internal && access(person, model.name, field.name) !== 'write')
const person = async (role: string, staffId: string, caller: Caller): Promise<Person> => {
  const rights = await test.gateway.directory.rightsOf(staffId, new Date())
  if (!rights) throw new Error(`${role} may not enter`)
  return { role, caller, permissions: rights.permissions, rules: fieldRulesOf(test.gateway.engine, rights) }
}

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const { engine, registry, database } = test.gateway
  const fieldRules: Record<string, string> = {}
  const keys = new Set<string>(['setModule:pages', 'setModule:pages:release'])
  for (const [at, name] of engine.names().entries()) {
    const model = engine.model(name)
    for (const key of [...Object.values(model.permissions), ...[...model.views.values()].map(({ permission }) => permission)])
      if (key !== undefined) keys.add(key)
    for (const [index, field] of [...model.fields.values()].entries()) {
      if (field.field['x-sensitive'] !== undefined) keys.add(field.field['x-sensitive'])
      const rule = RULES[(index * 3 + at) % RULES.length]
      if (rule && field.origin === 'own' && !field.required && !name.startsWith('sys.'))
        fieldRules[`${name}.${field.name}`] = rule
    }
    for (const { transitions } of model.machines)
      for (const { permission } of transitions) if (permission !== undefined) keys.add(permission)
  }
  fieldRules['crm.customer.shortName'] = 'hide'
  // what the last of these tests hides later on
  delete fieldRules['crm.customer.code']
  for (const { page } of registry.routes.routes)
    if (page !== null) for (const key of [registry.page(page)?.document.permission ?? '']) if (key !== '') keys.add(key)
  await test.addStaff({ id: 'blind', jobNumber: 'T9001', keys: [...keys], scopes: { '*': ['all'] }, fieldRules })
  await test.addStaff({
    id: 'admin',
    jobNumber: 'T9002',
    keys: ['setModule:pages', 'setModule:pages:release', ...keys],
    scopes: { '*': ['all'] },
  })
  const { rows } = await database.query<{ role: string; staffId: string; jobNumber: string }>(
    `select distinct on (r.code) r.code as role, s.id as "staffId", s.job_number as "jobNumber" from sys_role r join sys_role_member m on m.role_id = r.id
       join sys_staff s on s.id = m.staff_id and s.status = 'active' where s.sign_in_disabled is not true and (m.until is null or m.until > now())
       and s.id not in ('blind', 'admin') order by r.code, s.job_number`,
  )
  const demo = await Promise.all(
    rows.map(async ({ role, staffId, jobNumber }) => person(role, staffId, await test.signIn(jobNumber, DEMO_PASSWORD))),
  )
  blind = await person('blind', 'blind', await test.signIn('T9001'))
  admin = await test.signIn('T9002')
  people = [...demo, blind]
})
afterAll(() => test.close())

const bundleFor = async ({ caller }: Person, name: string) =>
  caller.get<CompileBundle>(`/v2/sys/page/bundle?name=${encodeURIComponent(name)}`)
const overexposedOn = (who: Person, bundle: CompileBundle): string[] => {
  const result = compilePage(bundle, { locale: 'zh', permissions: who.permissions, companyTimeZone: 'Asia/Shanghai' })
  if (!result.ok) return result.problems.filter(({ severity }) => severity === 'error').map(({ message }) => message.en)
  return overexposed(exposureOf(result.model), (field) => who.rules[field] ?? 'write')
}

/** How records are called to somebody from whom their titles are hidden: by the neutral name that he may read, else by id. */
const neutralNames = async (who: Person, model: EntityModel, ids: readonly string[]): Promise<string[]> => {
  const known = model.knownBy === undefined ? undefined : model.fields.get(model.knownBy)
  if (!known || ['hide', 'mask'].includes(access(who, model.name, known.name))) return [...ids]
  const { rows } = await test.gateway.database.query<{ id: string; name: string | null }>(
    `select id, "${known.column}" as name from ${model.table} where id = any($1::text[])`,
    [ids],
  )
  return ids.map((id) => rows.find((row) => row.id === id)?.name ?? id)
}

/** Words that only a hidden field of the row holds: they must not stand anywhere in an answer about it. What a copy holds may be seen where it comes from. */
const secretsOf = async (who: Person, model: EntityModel, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await test.gateway.database.query<Record<string, unknown>>(
    `select ${model.stored.map((field) => `"${field.column}" as "${field.name}"`).join(', ')} from ${model.table} where id = any($1::text[])`,
    [ids],
  )
  const telling = (field: FieldModel) =>
    ['string', 'text', 'phone', 'email', 'url', 'decimal', 'money'].includes(field.kind) && field.field['x-copyOf'] === undefined
  const open = JSON.stringify(
    rows.map((row) =>
      model.stored.filter((field) => access(who, model.name, field.name) !== 'hide').map((field) => row[field.name]),
    ),
  )
  return rows.flatMap((row) =>
    model.stored.flatMap((field) => {
      const value = row[field.name]
      const secret =
        access(who, model.name, field.name) === 'hide' && telling(field) && typeof value === 'string' && value.length > 5
      return secret && !open.includes(value) ? [value] : []
    }),
  )
}
const isMask = (value: unknown): boolean =>
  value === null || value === '' || JSON.stringify(value).includes('**') || JSON.stringify(value) === '[]'

const checkRows = (who: Person, model: EntityModel, rows: readonly Row[], call: string): void => {
  for (const row of rows) {
    for (const field of restricted(who, model)) {
      const what = `${who.role}: ${call} of ${model.name}.${field.name}`
      if (access(who, model.name, field.name) === 'hide') expect(row, what).not.toHaveProperty(field.name)
      // a record whose title is masked is called by its id in a select list
      if (access(who, model.name, field.name) === 'mask' && field.name in row && row[field.name] !== row.id)
        expect(isMask(row[field.name]), what).toBe(true)
    }
  }
}

describe('what is hidden from a role', () => {
  it('is on no page that it may open: neither asked for nor shown nor editable, and masked fields are compared with nothing', async () => {
    let pages = 0
    let ruled = 0
    for (const who of people) {
      for (const { name } of test.gateway.registry.pages) {
        if (!walks(who, name)) continue
        const { code, data } = await bundleFor(who, name)
        if (code === REFUSED) continue
        expect(code, name).toBe(0)
        pages += 1
        if (data.fieldRules) ruled += 1
        expect(overexposedOn(who, data), `${who.role} on ${name}`).toEqual([])
      }
    }
    expect(people.length).toBeGreaterThanOrEqual(10)
    expect(pages).toBeGreaterThan(least(200))
    expect(ruled).toBeGreaterThan(least(60))
  })

  it('is in no list, detail, select list, search, timeline or export; masked values are masked', async () => {
    const { engine } = test.gateway
    const told = { secrets: 0, rows: 0, exports: 0 }
    for (const who of people) {
      for (const model of engine.names().map((name) => engine.model(name))) {
        const fields = restricted(who, model)
        if (fields.length === 0 || !walks(who, model.name)) continue
        const list = await who.caller.post<{ records: Row[] }>(`${model.path}/queryPage`, { pageSize: 5 })
        if (list.code === REFUSED) continue
        expect(list.code, `${who.role} lists ${model.name}: ${list.msg}`).toBe(0)
        checkRows(who, model, list.data.records, 'list')
        const ids = list.data.records.map(({ id }) => id)
        if (ids.length === 0) continue
        const [first = ''] = ids
        const view = await who.caller.get<{ record: Row }>(`${model.path}/view/${first}`)
        checkRows(who, model, [view.data.record], 'view')
        const select = await who.caller.post<Row[]>(`${model.path}/select`, { ids })
        // an option calls itself by its title, which is the neutral name or the id where the title of the record is hidden
        const options = select.code === 0 ? select.data : []
        const ownTitle = model.titleFields.includes('title') && access(who, model.name, 'title') !== 'hide'
        checkRows(who, model, ownTitle ? options : options.map(({ title: _, ...option }) => option), 'select')
        if (!model.title && access(who, model.name, model.titleField) === 'hide')
          expect(
            options.map(({ title }) => title),
            `${who.role}: titles of ${model.name}`,
          ).toEqual(
            await neutralNames(
              who,
              model,
              options.map(({ id }) => id),
            ),
          )
        const log = await who.caller.get<{ records: { changes: { field: string; before: unknown; after: unknown }[] }[] }>(
          `${model.path}/log/${first}`,
        )
        for (const change of log.code === 0 ? log.data.records.flatMap(({ changes }) => changes) : [])
          checkRows(
            who,
            model,
            [
              { id: first, [change.field]: change.before },
              { id: first, [change.field]: change.after },
            ],
            'timeline',
          )
        const texts = [list.text, view.text, select.text, log.text]
        if (model.permissions.export !== undefined && who.permissions.has(model.permissions.export)) {
          const columns = [{ field: 'id', title: 'id' }, ...fields.slice(0, 40).map(({ name }) => ({ field: name, title: name }))]
          const answer = await who.caller.raw('POST', `${model.path}/export`, {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ columns, format: 'csv', ids }),
          })
          const text = await answer.text()
          texts.push(text)
          const rows = parse(text, { bom: true, columns: true }) as Row[]
          for (const row of rows) for (const name of Object.keys(row)) if (row[name] === '') row[name] = null
          checkRows(who, model, rows, 'export')
          told.exports += rows.length
        }
        // a posting is called by the number of its document: what others are called is proven where they are listed
        const called = JSON.stringify([list, view].map(({ data }) => (data as { refs?: unknown }).refs ?? {}))
        const secrets = (await secretsOf(who, model, ids)).filter((secret) => !called.includes(secret))
        for (const secret of secrets)
          for (const text of texts) {
            const at = text.indexOf(secret)
            expect(at < 0 ? '' : text.slice(Math.max(0, at - 120), at), `${who.role}: ${secret} of ${model.name}`).toBe('')
          }
        for (const field of fields
          .filter(({ storage, name }) => storage === 'stored' && ['hide', 'mask'].includes(access(who, model.name, name)))
          .slice(0, 2)) {
          const asked = await who.caller.post(`${model.path}/queryPage`, { where: [{ field: field.name, operator: 'notEmpty' }] })
          const sorted = await who.caller.post(`${model.path}/queryPage`, { sort: [{ field: field.name, order: 'asc' }] })
          expect([asked.code, sorted.code], `${who.role} asks for ${model.name}.${field.name}`).not.toContain(0)
        }
        const [secret] = secrets
        if (secret !== undefined) {
          const found = await who.caller.post<{ records: Row[] }>(`${model.path}/queryPage`, {
            keyword: secret.slice(0, 80),
            pageSize: 50,
          })
          expect(
            found.data.records.filter(({ id }) => ids.includes(id)),
            `${who.role} finds ${secret}`,
          ).toEqual([])
        }
        told.secrets += secrets.length
        told.rows += ids.length
      }
    }
    // it would prove nothing if there were nothing to hide
    expect(told.secrets).toBeGreaterThan(least(20))
    expect(told.rows).toBeGreaterThan(least(100))
    expect(told.exports).toBeGreaterThan(least(20))
  })

  it('is not taken in a save, a new record or a transition', async () => {
    const { engine, database } = test.gateway
    let refused = 0
    for (const model of engine.names().map((name) => engine.model(name))) {
      if (!walks(blind, model.name)) continue
      const own = restricted(blind, model).filter((field) => field.storage === 'stored' && field.kind === 'string' && !field.kept)
      const hidden = own.find(({ name }) => access(blind, model.name, name) === 'hide')
      const locked = own.find(({ name }) => access(blind, model.name, name) === 'read')
      const { add, edit } = model.permissions
      if (add !== undefined && hidden) {
        expect(
          (await blind.caller.post(`${model.path}/save`, { [hidden.name]: 'smuggled' })).code,
          `new ${model.name}.${hidden.name}`,
        ).toBe(REFUSED)
        refused += 1
      }
      // of records that nobody reaches, as a follow-up without a supplier, it is not told that they are there
      const { data: reached } = await blind.caller.post<{ records: Row[] } | null>(`${model.path}/queryPage`, { pageSize: 1 })
      const { rows } = await database.query<{ id: string }>(`select id from ${model.table} where deleted_at is null limit 1`)
      const id = (reached?.records ?? rows)[0]?.id
      if (id === undefined) continue
      for (const field of [hidden, locked]) {
        if (edit === undefined || !field) continue
        const { code } = await blind.caller.post(`${model.path}/save`, { id, [field.name]: 'smuggled' })
        expect(code, `${model.name}.${field.name}`).toBe(REFUSED)
        refused += 1
      }
      for (const { transitions } of model.machines) {
        for (const { id: transition, fields = [] } of transitions) {
          const name = fields.find((one) => ['hide', 'read'].includes(access(blind, model.name, one)))
          if (name === undefined) continue
          const { code } = await blind.caller.post(`${model.path}/stateUpdate`, {
            ids: [id],
            transition,
            values: { [name]: 'smuggled' },
          })
          expect(code, `${transition} of ${model.name} with ${name}`).not.toBe(0)
          refused += 1
        }
      }
      if (hidden) {
        const smuggled = await database.query(`select 1 from ${model.table} where "${hidden.column}"::text = 'smuggled'`)
        expect(smuggled.rowCount, model.name).toBe(0)
      }
    }
    expect(refused).toBeGreaterThan(least(20))
  })
})

describe('the import of an entity', () => {
  /** Whoever may import fills in what he may write; a secret that he sees masked may come with a new record. */
  const mayFill = (who: Person, { name }: EntityModel, field: FieldModel): boolean => {
    const rule = access(who, name, field.name)
    return rule === 'write' || (rule === 'mask' && field.field['x-sensitive'] !== undefined)
  }
  const plain = (cell: string): string => cell.replace(/ [*]$/, '')
  /** Headers of a template, and every field that one of its sheets names; null where there is none for the caller. */
  const templateOf = async (who: Person, model: EntityModel) => {
    const answer = await who.caller.raw('GET', `${model.path}/import/template`)
    if (!/spreadsheet/.test(answer.headers.get('content-type') ?? '')) return null
    const sheets = sheetsOf(new Uint8Array(await answer.arrayBuffer()))
    const titles = sheets.map(({ rows }) => (rows[0] ?? []).map((title) => plain(String(title))))
    const explained = (sheets[1]?.rows ?? []).map(([name]) => plain(String(name)))
    return { headers: titles[0] ?? [], named: [...titles.flat(), ...explained] }
  }
  const importing = (who: Person): EntityModel[] =>
    test.gateway.engine
      .names()
      .map((name) => test.gateway.engine.model(name))
      .filter(({ permissions }) => permissions.import !== undefined && who.permissions.has(permissions.import))
  const upload = async (who: Person, model: EntityModel, columns: Readonly<Record<string, string>>) => {
    const body = new FormData()
    const line = (cells: readonly string[]): string => `${cells.map((cell) => `"${cell}"`).join()}\n`
    const text = line(Object.keys(columns)) + line(Object.values(columns))
    body.append('file', new Blob([text], { type: 'text/csv' }), 'rows.csv')
    const answer = await who.caller.raw('POST', `${model.path}/import/preview`, { body })
    return (await answer.json()) as { code: number; data: { errors: { message: string; value: string | null }[] } }
  }

  it('has a template that names no field which its reader may not fill in', async () => {
    const read = { templates: 0, left: 0 }
    for (const who of people) {
      for (const model of importing(who)) {
        if (!walks(who, model.name)) continue
        const template = await templateOf(who, model)
        expect(template, `${who.role} reads the template of ${model.name}`).not.toBeNull()
        const { headers, named } = template!
        const all = [...model.fields.values()].filter(({ internal }) => !internal)
        const filled = new Set(all.filter((field) => mayFill(who, model, field)).map(({ label }) => label.zh))
        for (const { label, field } of all) {
          const lines = field['x-lines'] && test.gateway.engine.model(field['x-lines'].entity)
          for (const inner of lines?.fields.values() ?? [])
            if (!inner.internal && mayFill(who, lines!, inner)) filled.add(`${label.zh}：${inner.label.zh}`)
        }
        expect(headers.length, model.name).toBeGreaterThan(0)
        for (const field of all.filter((each) => !mayFill(who, model, each) && !filled.has(each.label.zh))) {
          for (const word of [field.label.zh, field.label.en, field.name])
            expect(named.includes(word), `${who.role}: "${word}" in the template of ${model.name}`).toBe(false)
          read.left += 1
        }
        // a unit stands behind the name of its column
        for (const header of headers)
          expect(
            filled.has(header) || filled.has(header.replace(/(?:（[^（）]+）| \([^()]+\))$/, '')),
            `${who.role}: ${header} of ${model.name}`,
          ).toBe(true)
        read.templates += 1
      }
    }
    expect(read.templates).toBeGreaterThanOrEqual(least(10))
    expect(read.left).toBeGreaterThan(least(10))
  })

  it('is refused as a whole when the file has a column for a hidden, masked or read-only field, by its label or its name', async () => {
    let refused = 0
    const proven = new Set<string>()
    for (const who of people) {
      for (const model of importing(who)) {
        if (!walks(who, model.name) || (who.role !== 'blind' && !isImported(`${who.role} ${model.name}`))) continue
        // whose rules for it are the same is refused the same
        const rules = [...model.fields.values()].map(({ name }) => access(who, model.name, name))
        if (proven.has(`${model.name} ${rules.join()}`)) continue
        proven.add(`${model.name} ${rules.join()}`)
        const template = await templateOf(who, model)
        const base = Object.fromEntries((template?.headers ?? []).map((header) => [header, 'x']))
        const kept = restricted(who, model).filter(
          (field) => field.origin === 'own' && !mayFill(who, model, field) && !(field.label.zh in base),
        )
        // one by its label, another by its name
        for (const [index, field] of kept.slice(0, 2).entries()) {
          const word = index === 0 ? field.label.zh : field.name
          const what = `${who.role} imports "${word}" of ${model.name}`
          const { code, data } = await upload(who, model, { ...base, [word]: 'smuggled' })
          expect(code, what).toBe(10010013)
          expect(
            data.errors.some(({ value }) => value === word),
            what,
          ).toBe(true)
          refused += 1
        }
      }
    }
    expect(refused).toBeGreaterThan(walksAll ? 10 : 0)
  })
})

describe('a variant of a page for the role', () => {
  const draftAndRelease = async (changes: object[]) => {
    const role = 'role-T9001'
    const saved = await admin.post<{ version: number; problems: unknown[] }>('/v2/sys/schema/draft/save', {
      target: MY_CLIENT,
      role,
      version: 0,
      changes,
    })
    expect(saved.data.problems).toEqual([])
    const checked = await admin.post<{ differences: { id: string; kind: string; risk: boolean; text: { en: string } }[] }>(
      '/v2/sys/schema/check',
      { drafts: [{ target: MY_CLIENT, role }] },
    )
    const { differences } = checked.data
    const accepted = differences.filter(({ risk }) => risk).map(({ id }) => id)
    const released = await admin.post('/v2/sys/schema/release', {
      drafts: [{ target: MY_CLIENT, role, version: saved.data.version }],
      stage: 'all',
      title: '变体',
      reason: '测试',
      accepted,
    })
    expect(released.code, released.msg).toBe(0)
    return differences
  }

  it('that tries to show, filter and sort by everything widens nothing, and says before the release who sees more', async () => {
    const customer = test.gateway.engine.model('crm.customer')
    const names = [...customer.fields.values()].filter(({ internal }) => !internal).map(({ name }) => name)
    const filterable = names.filter(
      (name) => customer.fields.get(name)?.storage === 'stored' && customer.fields.get(name)?.kind === 'string',
    )
    const differences = await draftAndRelease([
      ...names.map((field) => ({ at: 'columns', add: { id: `all-${field}`, field } })),
      ...filterable.map((field) => ({ at: 'filters', add: { id: `all-${field}`, field } })),
      { at: 'sort', set: filterable.slice(0, 3).map((field) => ({ field, order: 'asc' })) },
    ])
    const visible = differences.filter(({ kind }) => kind === 'becomesVisible')
    expect(visible.length).toBeGreaterThan(3)
    const rules = Object.entries(blind.rules).filter(([field, rule]) => field.startsWith('crm.customer.') && rule === 'hide')
    expect(rules.length).toBeGreaterThan(5)
    for (const [field] of rules)
      expect(
        visible.some(({ id }) => id.endsWith(` ${field}`)),
        field,
      ).toBe(false)
    const { data } = await bundleFor(blind, 'crm/my-client')
    expect(JSON.stringify(data.page)).toContain('all-shortName')
    expect(overexposedOn(blind, data)).toEqual([])
    const list = await blind.caller.post<{ records: Row[] }>('/v2/crm/customer/queryPage', { pageSize: 20 })
    checkRows(blind, customer, list.data.records, 'list')
    await admin.post('/v2/sys/schema/rollback', { target: MY_CLIENT, role: 'role-T9001', number: 0, reason: '清理' })
  })

  it('hides a column for the looks; a field rule takes the value out of the answers, at once', async () => {
    const answered = async () =>
      (await blind.caller.post<{ records: Row[] }>('/v2/crm/customer/queryPage', { pageSize: 1 })).data.records[0]
    await draftAndRelease([{ at: 'columns/code/hidden', set: true }])
    expect(await answered()).toHaveProperty('code')
    const { rows } = await test.gateway.database.query<{ id: string; version: number }>(
      `select id, version from sys_role where code = 'role-T9001'`,
    )
    const fieldRules = { ...Object.fromEntries(Object.entries(blind.rules)), 'crm.customer.code': 'hide' }
    await test.addStaff({
      id: 'keeper',
      jobNumber: 'T9003',
      keys: ['setModule:authManage:permissions:edit', ...blind.permissions],
      menus: ['setModule:authManage:permissions'],
      scopes: { '*': ['all'] },
    })
    const keeper = await test.signIn('T9003')
    const saved = await keeper.post('/v2/sys/role/save', { ...rows[0], fieldRules })
    expect(saved.code, saved.msg).toBe(0)
    expect(await answered()).not.toHaveProperty('code')
    const { data } = await bundleFor(blind, 'crm/my-client')
    expect(data.fieldRules).toMatchObject({ 'crm.customer.code': 'hide' })
  })
})
