import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FormNodeModel } from '../../../../src/schema/model'
import { clean } from '../../../../src/runtime/form/session/body'
import { input } from '../../../../src/runtime/form/view/input'
import { field } from '../../../support/models'
import { readFixture } from '../../schema/validate/world'
import { engineOf, object } from './support'

interface HiddenGroup {
  schema: FormNodeModel
  values: Record<string, unknown>
  should_be: Record<string, unknown>
}

const text = (more: Partial<FormNodeModel> & { pattern?: string } = {}): FormNodeModel => ({
  type: 'string',
  title: 'A text',
  ...more,
})

const dataField = (engine: ReturnType<typeof engineOf>, address: string) => {
  const found = engine.dataField(address)
  if (!found) throw new Error(`no field at ${address}`)
  return found
}

describe('planting without React', () => {
  test('void groups give no step to the path of a value', () => {
    const engine = engineOf(object({ group: { type: 'void', title: 'Group', properties: { name: text() } } }), { name: 'Acme' })
    expect(dataField(engine, 'group.name').value).toBe('Acme')
    expect(engine.plan.items.map(({ address, path }) => [address, path])).toEqual([['group.name', 'name']])
  })

  test('what lies in a group that is hidden from the start is not sent, and is there again when the group is shown', () => {
    const group = (visible: string): FormNodeModel =>
      object({
        kind: { type: 'boolean' },
        group: {
          type: 'void',
          'x-visible': visible,
          properties: {
            inner: text(),
            offered: text({ default: 'offered' }),
            deep: { type: 'void', properties: { within: object({ name: text() }) } },
            list: { type: 'array', items: object({ name: text() }) },
          },
        },
      })
    const given = { kind: false, inner: 'secret', within: { name: 'secret' }, list: [{ name: 'secret' }] }
    const engine = engineOf(group('{{ $values.kind }}'), given)
    expect(clean(engine.values())).toEqual({ kind: false })
    input(dataField(engine, 'kind'), true)
    expect(engine.values()).toMatchObject({ ...given, kind: true, offered: 'offered' })
    input(dataField(engine, 'kind'), false)
    expect(clean(engine.values())).toEqual({ kind: false })
    expect(engineOf(group('{{ !$values.kind }}'), given).values()).toMatchObject({ ...given, offered: 'offered' })
    // a list without rows takes its first one then
    const empty = engineOf(group('{{ $values.kind }}'), { kind: false })
    input(dataField(empty, 'kind'), true)
    expect(dataField(empty, 'group.list').value).toEqual([])
  })

  test('the case form-void-hidden: what the hidden group holds is not sent, also when it was shown before', () => {
    const { schema, values, should_be: sent } = readFixture<HiddenGroup>('cases/form-void-hidden.json')
    const engine = engineOf(schema, values)
    expect(clean(engine.values())).toEqual(sent)
    input(dataField(engine, 'kind'), true)
    expect(clean(engine.values())).toEqual({ ...values, kind: true })
    input(dataField(engine, 'kind'), false)
    expect(clean(engine.values())).toEqual(sent)
  })

  test('a new record gets defaults, a record that exists does not', () => {
    const schema = object({ level: text({ default: 'A' }) })
    expect(engineOf(schema).values()).toEqual({ level: 'A' })
    expect(engineOf(schema, { id: '1' }, { defaults: false }).values()).toEqual({ id: '1' })
  })

  test('a sum is right, in whatever order what it adds is reckoned', () => {
    const follows = (dependencies: string[], value: string): FormNodeModel => ({
      type: 'number',
      'x-reactions': { dependencies, fulfill: { state: { value } } },
    })
    const engine = engineOf(
      object({
        total: follows(['net', 'tax'], '{{$deps[0] + $deps[1]}}'),
        count: { type: 'number', default: 3 },
        net: { type: 'number', 'x-value': '{{$values.count * 2}}' },
        tax: { type: 'number', 'x-value': '{{$values.net * 0.5}}' },
        after: follows(['net', 'tax', 'total'], '{{$deps[0] + $deps[1] + $deps[2]}}'),
      }),
    )
    expect(engine.values()).toMatchObject({ net: 6, tax: 3, total: 9, after: 18 })
    input(dataField(engine, 'count'), 40)
    expect(engine.values()).toMatchObject({ net: 80, tax: 40, total: 120, after: 240 })
  })

  test('linkages in a circle come to an end', () => {
    const plus = (from: string): FormNodeModel => ({ type: 'number', 'x-value': `{{$values.${from} + 1}}` })
    const engine = engineOf(object({ a: plus('b'), b: plus('a') }), { a: 1, b: 1 })
    input(dataField(engine, 'a'), 5)
    expect(Number(dataField(engine, 'b').value)).toBeGreaterThan(5)
  })

  test('visible, required and value follow other fields', async () => {
    const engine = engineOf(
      object({
        country: text(),
        nameEn: text({
          title: 'English name',
          'x-visible': "{{ $values.country === 'US' }}",
          'x-required': "{{ $values.country === 'US' }}",
        }),
        copy: text({ 'x-value': '{{ $values.country }}' }),
        sum: {
          type: 'number',
          'x-reactions': { dependencies: ['country'], fulfill: { state: { value: '{{ len($deps[0] ?? "") }}' } } },
        },
      }),
    )
    expect(dataField(engine, 'nameEn').visible).toBe(false)
    input(dataField(engine, 'country'), 'US')
    expect(dataField(engine, 'nameEn').visible).toBe(true)
    expect(dataField(engine, 'copy').value).toBe('US')
    expect(dataField(engine, 'sum').value).toBe(2)
    expect(await engine.validate()).toEqual([{ address: 'nameEn', title: 'English name', message: 'English name is required' }])
    input(dataField(engine, 'country'), 'CN')
    expect(await engine.validate()).toEqual([])
  })

  test('an amount that a linkage reckons as a number is kept as text, in rows and groups, too', async () => {
    const amount = (words: object = {}): FormNodeModel => ({
      type: 'string',
      'x-field': field('amount', 'money', { money: 'USD' }),
      ...words,
    })
    const engine = engineOf(
      object({
        price: amount(),
        count: { type: 'number' },
        group: { type: 'void', properties: { total: amount({ 'x-value': '{{ $values.price * $values.count }}' }) } },
        rows: { type: 'array', items: object({ amount: amount(), size: { type: 'number' } }) },
      }),
      { price: '0.1', count: 3, rows: [{ amount: 0.3, size: 0.3 }] },
    )
    expect(engine.values()).toEqual({ price: '0.1', count: 3, total: '0.3', rows: [{ amount: '0.3', size: 0.3 }] })
    expect(await engine.validate()).toEqual([])
  })

  test('a pattern that could keep a browser busy is matched by the engine that is loaded for it, in a rule of the form, too', async () => {
    const engine = engineOf(
      object({
        plain: { ...text({ title: 'Plain' }), ...{ pattern: '^[a-z]{2}$' } },
        hostile: { ...text({ title: 'Hostile' }), ...{ pattern: '^(a+)+$' } },
        rule: text({ title: 'Rule', 'x-validator': [{ pattern: '^(b|b)*$', message: 'Only b' }] }),
        dynamic: text({ title: 'Dynamic', 'x-validator': '{{ [{ pattern: "^(c+c+)+$", message: "Only c" }] }}' }),
      }),
      { plain: 'abc', hostile: `${'a'.repeat(3_000)}!`, rule: `${'b'.repeat(3_000)}!`, dynamic: `${'c'.repeat(3_000)}!` },
    )
    expect((await engine.validate()).map(({ address, message }) => [address, message])).toEqual([
      ['plain', 'The format is wrong'],
      ['hostile', 'The format is wrong'],
      ['rule', 'Only b'],
      ['dynamic', 'Only c'],
    ])
    for (const [address, value] of Object.entries({ plain: 'ab', hostile: 'aaa', rule: 'bb', dynamic: 'cc' }))
      input(dataField(engine, address), value)
    expect(await engine.validate()).toEqual([])
  })

  test('an empty choice asks to choose, an empty text to fill in', async () => {
    const engine = engineOf(
      object({
        name: text({ title: 'Name', required: true }),
        kind: text({ title: 'Kind', required: true, enum: [{ label: 'One', value: '1' }] }),
        day: text({ title: 'Day', 'x-field': field('day', 'date'), 'x-required': "{{ $values.name !== 'Acme' }}" }),
        place: text({ title: 'Place', enum: [{ label: 'One', value: '1' }] }),
      }),
    )
    const messages = async () => (await engine.validate()).map(({ message }) => message)
    expect(await messages()).toEqual(['Name is required', 'Choose Kind', 'Choose Day'])
    input(dataField(engine, 'name'), 'Acme')
    expect(await messages()).toEqual(['Choose Kind'])
  })

  test('what an expression reads of the page comes from the scope', () => {
    const engine = engineOf(
      object({ day: text({ 'x-visible': '{{ user.name === "Li" }}' }) }),
      {},
      { scope: { user: { name: 'Li' } } },
    )
    expect(dataField(engine, 'day').visible).toBe(true)
  })

  test('an expression that fails leaves its field as it is', () => {
    const engine = engineOf(object({ a: text({ 'x-visible': '{{ $values.b.c.d === 1 }}' }) }))
    expect(dataField(engine, 'a').visible).toBe(true)
  })

  test('fields are planted again with their values after form.onUnmount, and work', async () => {
    const engine = engineOf(object({ a: text({ required: true }), b: text({ 'x-visible': '{{ !!$values.a }}' }) }))
    expect(engine.attach()).toBe(false)
    input(dataField(engine, 'a'), 'x')
    engine.form.onUnmount()
    expect(engine.attach()).toBe(true)
    expect(dataField(engine, 'a').value).toBe('x')
    input(dataField(engine, 'a'), '')
    expect(dataField(engine, 'b').visible).toBe(false)
    expect(await engine.validate()).toHaveLength(1)
    expect(engine.attach()).toBe(false)
  })

  test('a field is mounted once, however often the form is attached', () => {
    const engine = engineOf(object({ a: text() }))
    let mounts = 0
    const found = dataField(engine, 'a')
    const mount = found.onMount
    found.onMount = () => {
      mounts += 1
      mount.call(found)
    }
    engine.attach()
    engine.attach()
    expect(mounts).toBe(1)
  })

  test('data with a member called target is no event', () => {
    const engine = engineOf(object({ data: { type: 'object', 'x-component': 'json' } }))
    input(dataField(engine, 'data'), { target: { value: 1 } })
    expect(engine.values()).toEqual({ data: { target: { value: 1 } } })
  })
})

describe('checking', () => {
  test('an entity field is checked as its format says, in both limits and kind', async () => {
    const engine = engineOf(
      object({
        email: { type: 'string', title: 'E-mail', 'x-field': field('email', 'email') },
        amount: { type: 'string', title: 'Amount', 'x-field': field('amount', 'decimal', { maximum: 10 }) },
      }),
      { email: 'nobody', amount: '11' },
    )
    const problems = await engine.validate()
    expect(problems.map(({ address }) => address)).toEqual(['email', 'amount'])
  })

  test('an untouched bad row does not pass', async () => {
    const rows: FormNodeModel = { type: 'array', items: object({ title: text({ title: 'Title', required: true }) }) }
    const engine = engineOf(object({ rows }), { rows: [{ title: 'a' }, {}] })
    expect(Object.keys(engine.form.fields)).toEqual(['rows'])
    expect((await engine.validate()).map(({ address }) => address)).toEqual(['rows.1.title'])
  })

  test('errors of the server go to their fields, rows too; the rest is handed back', () => {
    const rows: FormNodeModel = { type: 'array', items: object({ title: text() }) }
    const engine = engineOf(object({ group: { type: 'void', properties: { name: text({ title: 'Name' }) } }, rows }), {
      rows: [{}],
    })
    const homeless = engine.setServerErrors([
      { field: 'name', message: 'taken' },
      { field: 'rows.0.title', message: 'bad' },
      { field: 'ghost', message: 'lost' },
      { message: 'general' },
    ])
    expect(homeless).toEqual(['lost', 'general'])
    expect(engine.problems().map(({ address, message }) => [address, message])).toEqual([
      ['group.name', 'taken'],
      ['rows.0.title', 'bad'],
    ])
    input(dataField(engine, 'group.name'), 'other')
    expect(engine.problems().map(({ address }) => address)).toEqual(['rows.0.title'])
    engine.clearServerErrors()
    expect(engine.problems()).toEqual([])
  })
})

describe('values', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/)
  const value = fc.oneof(
    fc.string({ minLength: 1, maxLength: 12 }),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
  )

  test('that nobody touches come out of a planted form as they went in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, value, { maxKeys: 8 }),
        fc.array(fc.dictionary(name, value, { maxKeys: 3 }), { maxLength: 4 }),
        async (flat, list) => {
          const names = [...new Set(list.flatMap((row) => Object.keys(row)))]
          const leaf: FormNodeModel = { type: 'string' }
          const schema = object({
            group: { type: 'void', properties: Object.fromEntries(Object.keys(flat).map((key) => [key, leaf])) },
            rowList: { type: 'array', items: object(Object.fromEntries(['keep', ...names].map((key) => [key, leaf]))) },
          })
          const given = { ...flat, rowList: list }
          const engine = engineOf(schema, given)
          await engine.validate()
          expect(clean(engine.values())).toEqual(clean(given))
        },
      ),
      { numRuns: 60 },
    )
  })
})
