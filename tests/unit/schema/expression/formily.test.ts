import { createForm, type Form } from '@formily/core'
import { Schema } from '@formily/json-schema'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { registerExpressions } from '../../../../src/headless/form/expressions'
import { createFormilyCompiler, ExpressionError } from '../../../../src/schema/expression'

const failures: unknown[] = []

function formOf(properties: Record<string, Record<string, unknown>>, values: Record<string, unknown> = {}): Form {
  const form = createForm({ values })
  const schema = new Schema({ type: 'object', properties })
  schema.mapProperties((property, name) => {
    const props = property.toFieldProps({ scope: { user: { id: 'u1' } } })
    if (property.type === 'array') form.createArrayField({ ...props, name: String(name) })
    else form.createField({ ...props, name: String(name) })
  })
  return form
}

beforeEach(() => {
  failures.length = 0
  Schema.registerCompiler(
    createFormilyCompiler(
      { locale: 'zh', timeZone: 'UTC' },
      { roots: () => ({ today: '2025-03-01' }), onError: (error) => void failures.push(error) },
    ),
  )
})
// other tests share Formily with this one
afterAll(registerExpressions)
afterEach(() => {
  for (const failure of failures) expect(failure).toBeInstanceOf(ExpressionError)
})

describe("Formily's linkages run on our expressions", () => {
  it('recomputes what depends on another field', () => {
    const form = formOf({
      price: { type: 'string' },
      quantity: { type: 'number' },
      total: {
        type: 'string',
        'x-reactions': {
          dependencies: ['price', 'quantity'],
          fulfill: { state: { value: "{{ mul($deps[0] ?? '0', $deps[1]) }}" } },
        },
      },
    })
    form.setValues({ price: '0.035', quantity: 1000 })
    expect(form.values).toMatchObject({ total: '35' })
    form.setValues({ quantity: 2000 })
    expect(form.values).toMatchObject({ total: '70' })
    expect(failures).toEqual([])
  })

  it('reads named dependencies, $values, $self, $form and our own roots, and follows their changes', () => {
    const form = formOf({
      level: { type: 'string' },
      a: {
        type: 'string',
        'x-reactions': { dependencies: { level: 'level' }, fulfill: { state: { visible: "{{ $deps.level === 'a' }}" } } },
      },
      b: { type: 'string', 'x-visible': "{{ $values.level === 'b' && $form.values.level === 'b' }}" },
      c: { type: 'string', title: '{{ user.id + today }}', 'x-disabled': '{{ !!$self.value }}' },
    })
    expect([form.query('a').get('visible'), form.query('b').get('visible')]).toEqual([false, false])
    form.setValues({ level: 'a' })
    expect([form.query('a').get('visible'), form.query('b').get('visible')]).toEqual([true, false])
    form.setValues({ level: 'b', c: 'x' })
    expect([form.query('a').get('visible'), form.query('b').get('visible')]).toEqual([false, true])
    expect(form.query('c').get('title')).toBe('u12025-03-01')
    expect(form.query('c').get('disabled')).toBe(true)
    expect(failures).toEqual([])
  })

  it('notices a value that was not there when it first looked', () => {
    const form = formOf({ a: { type: 'string', 'x-visible': '{{ $values.later?.on === true }}' } })
    expect(form.query('a').get('visible')).toBe(false)
    form.setValues({ later: { on: true } })
    expect(form.query('a').get('visible')).toBe(true)
  })

  it('acts on a target', () => {
    const form = formOf({
      from: {
        type: 'string',
        'x-reactions': {
          target: 'to',
          effects: ['onFieldValueChange'],
          fulfill: { state: { value: "{{ concat($self.value, '!', $target.value) }}" } },
        },
      },
      to: { type: 'string', default: 'old' },
    })
    form.setValues({ from: 'new' })
    expect(form.values).toMatchObject({ to: 'new!old' })
  })

  it('gives the rows of an array to its cells', () => {
    const form = createForm({ values: { rows: [{ a: 1 }, { a: 2 }] } })
    form.createArrayField({ name: 'rows' })
    form.createObjectField({ name: '1', basePath: 'rows' })
    const property = new Schema({ type: 'string', title: '{{ `${$index}/${$record.a}/${$lookup.rows.length}/${$records.a}` }}' })
    const field = form.createField({ ...property.toFieldProps({}), name: 'cell', basePath: 'rows.1' })
    expect(field.title).toBe('1/2/2/1,2')
    expect(failures).toEqual([])
  })

  it('does not hand out methods, elements or the inside of fields and forms', () => {
    const texts = [
      '$self.setValue',
      '$self.form',
      '$form.setValues',
      '$form.submit',
      '$self.props',
      '$form.fields',
      '$self.componentType',
    ]
    for (const text of [
      ...texts,
      '$effect',
      '$memo',
      '$observable',
      '$props',
      '$self.path',
      '$self.controllers',
      '$form.notify',
    ]) {
      const form = formOf({ a: { type: 'string', title: `{{ ${text} === undefined ? 'hidden' : 'open' }}` } })
      expect([text, form.query('a').get('title')]).toEqual([text, 'hidden'])
    }
    expect(failures).toEqual([])
  })

  it('shows errors of a field as their messages', async () => {
    const form = formOf({ a: { type: 'string', required: true }, b: { type: 'string', title: '{{ `${len($form.errors)}` }}' } })
    await form.validate().catch(() => undefined)
    expect(form.query('b').get('title')).toBe('1')
    expect(failures).toEqual([])
  })

  it('reports an expression that fails and keeps the form', () => {
    const form = formOf({
      a: { type: 'string', title: '{{ $values.x.y }}' },
      b: { type: 'string', title: '{{ function(){} }}' },
      c: { type: 'string', title: '{{ 1 + 1 }}' },
    })
    expect(failures.map((failure) => (failure as ExpressionError).code)).toEqual(
      expect.arrayContaining(['empty-object', 'forbidden-syntax']),
    )
    expect(form.query('c').get('title')).toBe(2)
  })
})
