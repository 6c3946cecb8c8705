import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../../src/headless/form/engine'
import { planForm } from '../../../../src/headless/form/plan'
import { validatorOf } from '../../../../src/headless/form/validate'
import { compilePage, type CompileBundle } from '../../../../src/schema/compile'
import type { FormModel } from '../../../../src/schema/model'
import type { Change } from '../../../../src/schema/overlay'
import type { Problem } from '../../../../src/schema/problem'
import type { Caller, TestGateway } from '../../../support/gateway'
import { startGateway } from '../../../support/gateway'

const ASK = 'page:crm/not-duplicate'
const SAVE = 'page:crm/contact'

let gateway: TestGateway
let admin: Caller
beforeAll(async () => {
  gateway = await startGateway({})
  await gateway.addStaff({
    id: 'admin',
    jobNumber: 'T0001',
    keys: ['setModule:pages', 'setModule:pages:release', 'crm:customer:edit', 'crm:contact:edit', 'crm:contact:add'],
    menus: ['crm:client-partner:my-client'],
    scopes: { '*': ['all'] },
  })
  admin = await gateway.signIn('T0001')
})
afterAll(() => gateway.close())

const both = (text: string) => ({ zh: text, en: text })
const node = (id: string, add: object): Change => ({ at: 'schema/properties', add: { title: both(id), ...add }, id })

/** Drafts the changes and answers what the check says; the draft stays. */
async function check(target: string, changes: readonly Change[]): Promise<readonly Problem[]> {
  const { data } = await admin.get<{ draft: { version: number } | null }>(`/v2/sys/schema/target?target=${target}`)
  await admin.post('/v2/sys/schema/draft/save', { target, version: data.draft?.version ?? 0, changes })
  const drafts = [{ target }]
  return (await admin.post<{ problems: Problem[] }>('/v2/sys/schema/check', { drafts })).data.problems
}

/** Releases the draft and opens the released form as a browser does, without drawing it. */
async function releasedForm(target: string) {
  const { data } = await admin.get<{ draft: { version: number } }>(`/v2/sys/schema/target?target=${target}`)
  const drafts = [{ target, version: data.draft.version }]
  const checked = await admin.post<{ differences: { id: string; risk: boolean }[] }>('/v2/sys/schema/check', { drafts })
  const accepted = checked.data.differences.filter(({ risk }) => risk).map(({ id }) => id)
  const answer = await admin.post('/v2/sys/schema/release', { drafts, stage: 'all', title: '表单', reason: '试验', accepted })
  expect(answer.msg).toBe('OK')
  const path = target.slice('page:'.length)
  const { data: bundle } = await admin.get<CompileBundle>(`/v2/sys/page/bundle?path=${path}`)
  const result = compilePage(bundle, { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  const { schema } = result.model as FormModel
  const plan = planForm(schema)
  const engine = createEngine({ plan, schema, values: {}, scope: {}, validator: validatorOf('en', 'Asia/Shanghai') })
  engine.attach()
  return { plan, engine }
}

describe('what passes the check works on the released page', () => {
  it('a reaction with a target', async () => {
    const reaction = { target: 'shown', when: "{{ $self.value === 'a' }}", fulfill: { state: { visible: false } } }
    const made = [node('kind', { type: 'string', 'x-reactions': reaction }), node('shown', { type: 'string' })]
    expect(await check(ASK, made)).toEqual([])
    const { engine } = await releasedForm(ASK)
    engine.dataField('kind')?.setValue('a')
    expect(engine.field('shown')?.display).toBe('none')
  })

  it('choices that an expression answers', async () => {
    const kinds = "{{ $values.kind === 'a' ? ['x'] : ['y', 'z'] }}"
    expect(await check(ASK, [node('kind', { type: 'string' }), node('choice', { type: 'string', enum: kinds })])).toEqual([])
    const { engine, plan } = await releasedForm(ASK)
    expect(plan.items.find(({ path }) => path === 'choice')?.control).toBe('select')
    const choices = () => (engine.dataField('choice')?.dataSource ?? []).map(({ value }: { value?: unknown }) => value)
    expect(choices()).toEqual(['y', 'z'])
    engine.dataField('kind')?.setValue('a')
    expect(choices()).toEqual(['x'])
    expect((await check(ASK, [node('choice', { type: 'string', enum: '{{ nothing( }}' })]))[0]?.code).toBe('expression-syntax')
  })

  it('the cells of a table below a void column', async () => {
    const column = {
      type: 'void',
      'x-component': 'ArrayTable.Column',
      properties: { item: { type: 'string', title: both('Item') } },
    }
    const lines = { type: 'array', 'x-component': 'ArrayTable', items: { type: 'object', properties: { first: column } } }
    expect(await check(ASK, [node('lines', lines)])).toEqual([])
    const { engine, plan } = await releasedForm(ASK)
    const [table] = plan.tables
    const [cell] = table?.columns ?? []
    engine.form.setValuesIn('lines', [{}])
    engine.plantRow(table!, 0)
    engine.dataField(`${table?.address}.0.${cell?.at}`)?.setValue('bolts')
    expect(engine.values()).toMatchObject({ lines: [{ item: 'bolts' }] })
  })
})

describe('the check refuses', () => {
  it('a form node that its entity lacks: the save would be refused', async () => {
    const [problem] = await check(SAVE, [node('shoeSize', { type: 'number' })])
    expect(problem).toMatchObject({ code: 'unknown-field', value: 'shoeSize' })
    expect(problem?.message.en).toContain('saving would be refused')
    const refused = await admin.post('/v2/crm/contact/save', { shoeSize: 1 })
    expect(refused.code).toBe(10010001)
  })

  it.each(['FormTab', 'FormDrawer', 'Carousel', 'Card'])(
    'the component %s where it would be drawn as something else',
    async (component) => {
      const [problem] = await check(ASK, [node('choice', { type: 'array', 'x-component': component })])
      expect(problem).toMatchObject({ code: 'unknown-control', value: component })
    },
  )

  it('a node whose values its entity field cannot hold', async () => {
    const [problem] = await check(SAVE, [{ at: 'schema/properties/mobile', set: { type: 'array', title: both('Numbers') } }])
    expect(problem?.message.en).toContain('cannot be saved')
  })
})
