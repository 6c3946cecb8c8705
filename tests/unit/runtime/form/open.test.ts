import { describe, expect, test } from 'vitest'
import type { FormModel } from '../../../../src/schema/model'
import { planForm } from '../../../../src/headless/form/plan'
import { openForm } from '../../../../src/runtime/form/view/open'
import type { Opening } from '../../../../src/runtime/form/view/open'
import { fakeHost } from '../../../support/fakeHost'
import { field } from '../../../support/models'
import { formModel, object } from './support'

const model: FormModel = formModel({
  entity: 'test.thing',
  schema: object({
    name: { type: 'string', title: 'Name', 'x-field': field('name') },
    code: { type: 'string', title: 'Code', 'x-field': field('code', 'string', { immutable: true }) },
    phone: { type: 'string', title: 'Phone', 'x-field': field('phone', 'phone', { masked: true }) },
    days: { type: 'number', title: 'Days', 'x-field': field('days', 'integer', { computed: true }) },
    level: { type: 'string', title: 'Level', default: 'A', 'x-field': field('level') },
  }),
  initial: ({ values }) => ({ name: 'initial', ...(values as object) }),
})
const record = { id: '7', version: 3, name: 'Old', code: null, phone: '+86138****000', days: 2 }

const openWith = (more: Partial<Opening> = {}, permissions?: readonly string[]) =>
  openForm(fakeHost(permissions ? { permissions } : {}), {
    model,
    plan: planForm(model.schema),
    scope: {},
    record: null,
    refs: {},
    canEdit: true,
    given: {},
    ...more,
  })
const pattern = (form: ReturnType<typeof openWith>, name: string): unknown => form.engine.field(name)?.pattern

describe('opening a form', () => {
  test('a new record holds defaults, initial values, and what the opener gave, in this order', () => {
    const form = openWith({ given: { name: 'given', extra: 1 } })
    expect(form.engine.values()).toEqual({ name: 'given', level: 'A' })
    expect(form.given).toEqual({ extra: 1 })
    expect(pattern(form, 'code')).toBe('editable')
  })

  test('a record keeps its values; id and version are not among those that are submitted', () => {
    const form = openWith({ record })
    expect(form.record).toEqual({ id: '7', version: 3 })
    expect(form.baseline).toEqual({ name: 'Old', code: null, phone: '+86138****000', days: 2 })
  })

  test('what a rule hides from this viewer is not in the form', () => {
    expect(openWith({ record }).engine.field('level')?.display).toBe('none')
  })

  test('a masked value, a computed one and one that is set once cannot be changed', () => {
    const form = openWith({ record: { ...record, code: 'C1' } }, [])
    expect(['name', 'code', 'phone', 'days'].map((name) => pattern(form, name))).toEqual([
      'editable',
      'readPretty',
      'readPretty',
      'readPretty',
    ])
    const plain = formModel({
      ...model,
      schema: object({ phone: { type: 'string', title: 'Phone', 'x-field': field('phone', 'phone') } }),
    })
    expect(pattern(openWith({ record, model: plain, plan: planForm(plain.schema) }), 'phone')).toBe('editable')
    expect(pattern(openWith({ record }), 'code')).toBe('editable')
  })

  test('a record that may not be edited is only read', () => {
    expect(openWith({ record, canEdit: false }).engine.form.readPretty).toBe(true)
  })

  test('the other language carries over what was typed, the record and that it is unsaved', () => {
    const form = openWith({ record, kept: { values: { name: 'typed' }, dirty: true, record: { id: '7', version: 4 } } })
    expect(form.engine.values()).toMatchObject({ name: 'typed' })
    expect(form.baseline.name).toBe('Old')
    expect(form.record.version).toBe(4)
    expect(form.keptDirty).toBe(true)
  })

  test('an expression that fails is told once, with the page it stands on', () => {
    const broken = formModel({ schema: object({ a: { type: 'string', 'x-visible': '{{ $values.b.c.d }}' } }) })
    const host = fakeHost()
    const form = openForm(host, {
      model: broken,
      plan: planForm(broken.schema),
      scope: {},
      record: null,
      refs: {},
      canEdit: true,
      given: {},
    })
    form.engine.form.setValuesIn('b', { c: null })
    expect([...form.failures]).toHaveLength(1)
    expect(host.events.filter((event) => event.startsWith('report'))).toHaveLength(1)
  })
})

describe('several forms open at once', () => {
  const linked = formModel({
    schema: object({
      kind: { type: 'string', title: 'Kind' },
      price: { type: 'string', title: 'Price', required: true, 'x-visible': "{{ !!$values.kind && can('crm:price') }}" },
      said: {
        type: 'string',
        title: 'Said',
        'x-reactions': { target: 'kind', fulfill: { state: { title: "{{ can('crm:price') ? 'Yes' : 'No' }}" } } },
      },
      day: { type: 'string', title: 'Day', 'x-value': '{{ $values.kind ? date(now) : undefined }}' },
      part: { type: 'number', title: 'Part', 'x-validator': [{ maximum: 5 }], ...{ maximum: '{{ $values.kind ? 3 : 9 }}' } },
      broken: { type: 'string', title: 'Broken', 'x-value': '{{ $values.kind.x.y }}' },
    }),
  })
  const at = (host: ReturnType<typeof fakeHost>) =>
    openForm(host, {
      model: linked,
      plan: planForm(linked.schema),
      scope: { now: '2026-03-01T20:00:00Z' },
      record: null,
      refs: {},
      canEdit: true,
      given: {},
    })
  const reported = (faults: string[]) => ({
    report: (_error: unknown, { expression }: { expression?: string }) => void faults.push(expression ?? ''),
  })

  test('each has the rights, the language, the zone and the failures of its own, whichever was opened last', async () => {
    const [mine, theirs]: [string[], string[]] = [[], []]
    const first = at(
      fakeHost({ locale: 'zh', permissions: ['crm:price'], overrides: { ...reported(mine), companyTimeZone: 'Asia/Shanghai' } }),
    )
    const second = at(
      fakeHost({ locale: 'en', permissions: [], overrides: { ...reported(theirs), companyTimeZone: 'America/New_York' } }),
    )
    const seen = (form: ReturnType<typeof at>) => ({
      price: form.engine.field('price')?.display,
      day: form.engine.values().day,
    })
    for (const [name, form] of [
      ['kind', first],
      ['kind', second],
    ] as const)
      form.engine.dataField(name)?.setValue('a')
    expect(seen(first)).toEqual({ price: 'visible', day: '2026-03-02' })
    expect(seen(second)).toEqual({ price: 'none', day: '2026-03-01' })
    // later reactions, the first form again
    first.engine.dataField('said')?.setValue('x')
    second.engine.dataField('said')?.setValue('x')
    expect([first, second].map((form) => form.engine.field('kind')?.title)).toEqual(['Yes', 'No'])
    first.engine.dataField('part')?.setValue(7)
    second.engine.dataField('part')?.setValue(7)
    const messages = async (form: ReturnType<typeof at>) => (await form.engine.validate()).map(({ message }) => message)
    expect(await messages(second)).toEqual(['The field value cannot be greater than 3'])
    expect(await messages(first)).toEqual(['请填写Price', '数值不能大于3'])
    expect(first.failures.size).toBe(1)
    expect([mine.length, theirs.length]).toEqual([1, 1])
  })
})
