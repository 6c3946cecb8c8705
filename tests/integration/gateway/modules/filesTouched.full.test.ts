import { format } from 'prettier'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../../../gateway/world'
import { signIn, type Caller } from '../../../support/gateway'
import { ProjectCopy } from '../../../support/projectCopy'

const text = (en: string) => ({ zh: `中${en}`, en })
const entity = (name: string, label: string, more: object) => ({
  ...{ $schema: '../../meta/entity.json', formatVersion: 3, name, label: text(label), titleField: 'name', type: 'object' },
  properties: {
    name: { type: 'string', maxLength: 80, 'x-label': text('Name'), 'x-list': true, 'x-search': true },
    note: { type: 'string', maxLength: 400, 'x-label': text('Note') },
  },
  required: ['name'],
  ...more,
})
/** The state of a note: it is told elsewhere, unless it has been said already, and what is heard of it stands in the note. */
const STATUS = { type: 'string', 'x-dictionary': 'enabled', 'x-label': text('Status'), readOnly: true }
const TELLING = {
  field: 'status',
  initial: 'on',
  transitions: [
    {
      ...{ id: 'tell', label: text('Tell'), from: ['on'], permission: 'crm:param:manage' },
      refuse: [{ id: 'said', when: '{{ note }}', message: text('It has been said.') }],
      effects: [{ id: 'told', do: 'csc.tellName', with: { name: '{{ name }}' }, later: { done: 'heard' } }],
    },
    { id: 'heard', label: text('Heard'), by: ['system'], from: ['on'], to: 'off', fields: ['note'] },
  ],
}
/** A key that the administrator holds already. */
const HELD = 'crm:param:manage'
const keysOf = (name: string) => ({ read: name, add: `${name}:add`, edit: `${name}:edit`, delete: `${name}:delete` })

const JOB = `import type { ModuleJob } from '../../../module'

export const job: ModuleJob = ({ database }) => ({
  name: 'csc.oldNotes',
  title: { zh: '旧记录', en: 'Old notes' },
  description: { zh: '清点旧记录。', en: 'Counts old notes.' },
  schedule: { every: 'day', at: '02:00' },
  parameters: { days: { title: { zh: '天数', en: 'Days' }, default: 30, minimum: 1, maximum: 365 } },
  run: async (_place, _tell, { days = 0 } = {}) => {
    const { rows } = await database.query<{ value: number }>('select $1::int as value', [days])
    return { figures: [{ id: 'days', title: { zh: '天数', en: 'Days' }, value: Number(rows[0]?.value) }], columns: [], rows: [], more: 0 }
  },
})
`
const VERB = `import { refusal } from '../../../entities'
import type { ModuleVerb } from '../../module'

export const verb: ModuleVerb = ({ context }, runs) => {
  for (const { subject } of runs)
    if (subject.record.name === 'Nobody')
      throw refusal('validationFailed', context.locale, [{ field: 'name', rule: 'somebody', message: { zh: '不能叫 Nobody。', en: 'Nobody is no name.' } }])
  return Promise.resolve()
}
`
const OUTSIDE = `import type { ModuleOutsideVerb } from '../../module'

export const outside: ModuleOutsideVerb = ({ engine, with: { name } }) =>
  Promise.resolve({ note: String(name) + (engine.names().includes('csc.callNote') ? ' is known' : ' is nobody') })
`
const CALL = `import { contextOf, ok } from '../../../platform/http'
import type { ModuleCall } from '../../module'

export const call: ModuleCall = ({ app, engine }) => {
  app.get(
    '/v2/csc/note-total',
    { schema: { tags: ['csc'], summary: 'How many notes one sees' }, config: { permission: 'csc:callNote' } },
    async (request) => ok({ total: await engine.count('csc.callNote', contextOf(request), {}) }),
  )
}
`
const WIDGET = `import { defineWidget } from '../../runtime/widget'

export const clock = defineWidget({
  name: 'demo.clock',
  description: { zh: '时钟', en: 'A clock' },
  props: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'], additionalProperties: false },
  load: () => import('./Clock'),
  example: { props: { zone: 'Asia/Shanghai' } },
})
`
const CLOCK = `import type { WidgetProps } from '../../runtime/widget'

const Clock = ({ props: { zone } }: WidgetProps<{ zone: string }>) => <time>{new Date().toLocaleTimeString('en', { timeZone: zone })}</time>

export default Clock
`
const MODULE = `import { newId } from '../../platform/database'
import type { GatewayModule } from '../module'

export const fleet: GatewayModule = {
  demo: { make: ({ now, rows }) => void (rows['fleet.car'] = [{ id: newId(), name: 'Van 1', createdAt: now.toISOString() }]) },
}
`

const copy = new ProjectCopy()
const writeJson = async (file: string, document: object): Promise<void> =>
  copy.write(file, await format(JSON.stringify(document), { parser: 'json', printWidth: 130 }))
/** What a change makes anew by itself. */
let renewed = ''
let checked = ''
let widgets = ''
beforeAll(async () => {
  // a field: one file
  const contact = JSON.parse(copy.read('schemas/crm/entities/contact.json')) as { properties: object }
  const slogan = { type: 'string', maxLength: 80, 'x-label': text('Slogan'), 'x-list': true, 'x-filter': true }
  const withField = { ...contact, properties: { ...contact.properties, slogan } }
  await writeJson('schemas/crm/entities/contact.json', withField)
  // an entity with its pages: one file
  const pages = {
    'x-pages': { path: '/csc/call-notes', menu: 'clue' },
    'x-permissions': { read: 'csc:callNote', add: HELD, edit: HELD },
    'x-effects': { create: [{ id: 'named', do: 'csc.askName', with: {} }] },
    'x-states': [TELLING],
  }
  const note = entity('csc.callNote', 'Call note', pages)
  await writeJson('schemas/csc/entities/call-note.json', { ...note, properties: { ...note.properties, status: STATUS } })
  // a job with parameters: one file
  copy.write('gateway/modules/csc/jobs/old-notes/job.ts', JOB)
  // a verb, one that reaches another system, and a call: one file each
  copy.write('gateway/modules/csc/verbs/ask-name.ts', VERB)
  copy.write('gateway/modules/csc/outside/tell-name.ts', OUTSIDE)
  copy.write('gateway/modules/csc/calls/note-total.ts', CALL)
  // a widget: its folder, and the page that uses it
  copy.write('src/widgets/clock/index.ts', WIDGET)
  copy.write('src/widgets/clock/Clock.tsx', CLOCK)
  await writeJson('schemas/csc/pages/clock.json', {
    ...{ $schema: '../../meta/page.json', formatVersion: 3, kind: 'widget', path: '/csc/clock', title: text('Clock') },
    ...{ permission: 'csc:clue:assign', widget: 'demo.clock', props: { zone: 'UTC' } },
  })
  // a module: its two folders
  const fleet = {
    ...{ $schema: '../meta/module.json', formatVersion: 3, name: 'fleet', title: text('Fleet'), icon: 'tool', sort: 900 },
    international: 'fleet:fleet',
    menu: [{ id: 'cars', title: text('Cars'), international: 'fleet:cars', icon: 'tool', children: [] }],
    routes: [],
  }
  const roles = [{ code: 'administrator', buttons: ['fleet:car:add', 'fleet:car:edit'], scopes: { 'fleet.car': ['all'] } }]
  const car = { 'x-pages': { path: '/fleet/cars', menu: 'cars' }, 'x-permissions': keysOf('fleet:car') }
  await writeJson('schemas/fleet/module.json', fleet)
  await writeJson('schemas/fleet/roles.json', { $schema: '../meta/roles.json', formatVersion: 3, roles })
  await writeJson('schemas/fleet/entities/car.json', entity('fleet.car', 'Car', car))
  copy.write('gateway/modules/fleet/index.ts', MODULE)
  renewed = await copy.script('scripts/generate.ts')
  checked = await copy.script('scripts/check-schemas.ts', { orFail: false })
  copy.write('docs/widgets.md', '')
  await copy.script('scripts/widget-docs.ts')
  widgets = copy.read('docs/widgets.md')
}, 600_000)
afterAll(() => copy.remove())

describe('Files touched', () => {
  it('are those of the change alone: what else there is of it is generated, and the check finds nothing', () => {
    expect(renewed.replace('Wrote ', '').trim().split(', ').sort()).toEqual([
      '../../../gateway/modules/generated.ts',
      '../../../schemas/dictionaries/entityName.json',
      'entities.ts',
    ])
    expect(checked).toContain(' 0 errors, ')
    // read as the portal's build reads them
    expect(widgets).toContain('## demo.clock')
  })

  it('suffice for a field, an entity with list, detail and form, a state rule, a verb, one outside, a call, a job with parameters, the page of a widget, and a module', async () => {
    await copy.started(async (address) => {
      const admin = await signIn(address, 'S0067', DEMO_PASSWORD)
      await showsField(await signIn(address, 'S0006', DEMO_PASSWORD))
      await showsPages(admin, 'csc', { list: '/csc/call-notes', form: 'csc/call-note', entity: 'csc/callNote' })
      await runsJob(admin)
      await doesVerbsAndCalls(admin, await signIn(address, 'S0006', DEMO_PASSWORD))
      expect((await bundle(admin, 'path=/csc/clock')).page.kind).toBe('widget')
      await showsPages(admin, 'fleet', { list: '/fleet/cars', form: 'fleet/car', entity: 'fleet/car' })
      const saved = await admin.post('/v2/fleet/car/save', { name: 'Van 2', note: 'blue' })
      expect(saved.code, saved.text).toBe(0)
      const { data } = await admin.post<{ records: { name: string }[] }>('/v2/fleet/car/queryPage', {})
      expect(data.records.map(({ name }) => name).sort()).toEqual(['Van 1', 'Van 2'])
    })
  }, 600_000)
})

interface Bundle {
  page: { kind: string }
  entities: Record<string, { properties: Record<string, unknown> }>
}
async function bundle(caller: Caller, query: string): Promise<Bundle> {
  const { code, data, text: said } = await caller.get<Bundle>(`/v2/sys/page/bundle?${query}`)
  expect([query, code, code === 0 ? '' : said]).toEqual([query, 0, ''])
  return data
}

async function showsField(sales: Caller): Promise<void> {
  const { entities } = await bundle(sales, 'name=crm/contact')
  expect(Object.keys(entities['crm.contact']!.properties)).toContain('slogan')
  const asked = { where: [{ field: 'slogan', operator: 'contains', value: 'x' }] }
  expect((await sales.post('/v2/crm/contact/queryPage', asked)).code).toBe(0)
}

async function showsPages(
  admin: Caller,
  module: string,
  { list, form, entity: called }: { list: string; form: string; entity: string },
): Promise<void> {
  const { page } = await bundle(admin, `path=${list}`)
  expect(page.kind).toBe('list')
  expect((await bundle(admin, `name=${form}`)).page.kind).toBe('form')
  expect((await bundle(admin, `name=${form}-details`)).page.kind).toBe('detail')
  const { data } = await admin.get<{ routes: { path: string; module: string; menu?: boolean }[] }>('/v2/sys/page/routes')
  expect(data.routes.find(({ path }) => path === list)).toMatchObject({ module, menu: true })
  expect((await admin.post(`/v2/${called}/queryPage`, {})).code).toBe(0)
}

async function doesVerbsAndCalls(admin: Caller, sales: Caller): Promise<void> {
  const base = '/v2/csc/callNote'
  const saved = async (values: object): Promise<string> => (await admin.post<{ id: string }>(`${base}/save`, values)).data.id
  const tell = (id: string) => admin.post<{ done: string[] }>(`${base}/stateUpdate`, { ids: [id], transition: 'tell' })
  // the verb
  expect((await admin.post(`${base}/save`, { name: 'Nobody' })).code).toBe(10010005)
  // the state rule, and the verb that reaches another system
  const [ann, bob] = [await saved({ name: 'Ann' }), await saved({ name: 'Bob', note: 'said' })]
  expect((await tell(ann)).data.done).toEqual([ann])
  const noted = async () => (await admin.get<{ record: object }>(`${base}/view/${ann}`)).data.record
  await expect.poll(noted, { timeout: 60_000 }).toMatchObject({ status: 'off', note: 'Ann is known' })
  expect((await tell(bob)).text).toContain('It has been said.')
  // the call
  expect((await admin.get('/v2/csc/note-total')).data).toEqual({ total: 2 })
  expect((await sales.get('/v2/csc/note-total')).code).toBe(10010003)
}

async function runsJob(admin: Caller): Promise<void> {
  const job = 'csc.oldNotes'
  const days = async (): Promise<unknown> => {
    const { data } = await admin.post<{ report: { figures: { value: number }[] } }>('/v2/sys/job/run', { job, dry: true })
    return data.report.figures[0]?.value
  }
  expect(await days()).toBe(30)
  const set = (values: object) => admin.post('/v2/sys/job/set', { job, values, reason: 'Kept longer' })
  expect((await set({ days: 400 })).code).toBe(10010005)
  expect((await set({ days: 45 })).code).toBe(0)
  expect(await days()).toBe(45)
  const { data } = await admin.get<{ name: string; parameters: { id: string; value: unknown }[] }[]>('/v2/sys/job/list')
  expect(data.find(({ name }) => name === job)?.parameters).toMatchObject([{ id: 'days', value: 45, default: 30 }])
}
