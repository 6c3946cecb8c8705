import { describe, expect, test } from 'vitest'
import '../../../../src/runtime/form/controls'
import { controlOf, isControl, registerControl, resolveControl } from '../../../../src/runtime/form/controls/registry'
import type { TextContext } from '../../../../src/runtime/form/controls/control'
import { choicesOf, offered } from '../../../../src/runtime/form/view/choices'
import { FORMATS } from '../../../../src/schema/formats'
import { field } from '../../../support/models'

const context = (more: Partial<TextContext> = {}): TextContext => ({
  locale: 'en',
  timeZone: 'Asia/Shanghai',
  choices: [],
  props: {},
  title: () => undefined,
  sibling: () => undefined,
  ...more,
})
const shown = (control: string, value: unknown, more: Partial<TextContext> = {}): string =>
  controlOf(control).text(value, context(more))
const parsed = (control: string, text: string, more: Partial<TextContext> = {}): unknown =>
  controlOf(control).parse?.(text, context(more))

test('every control that a field kind names is registered', () => {
  for (const format of Object.values(FORMATS)) expect(isControl(format.control), format.kind).toBe(true)
})

test('an unknown control falls back to that of the kind, then to text', () => {
  expect(resolveControl('nonsense', field('amount', 'money'))).toBe('money')
  expect(resolveControl('nonsense')).toBe('text')
})

test('a widget may bring a control', () => {
  registerControl('test.stars', { load: () => Promise.reject(new Error('never')), text: (value) => `${String(value)}/5` })
  expect(shown(resolveControl('test.stars'), 3)).toBe('3/5')
})

describe('text forms', () => {
  const levels = field('level', 'dictionary', {
    dictionary: {
      name: 'level',
      options: [
        { code: 'A', label: 'Gold' },
        { code: 'B', label: 'Silver' },
        { code: 'C', label: 'Bronze', retired: true },
      ],
    },
  })

  test('a dictionary shows labels, also of a retired value that is offered no more', () => {
    const choices = choicesOf(
      [
        { label: 'Gold', value: 'A' },
        { label: 'Silver', value: 'B' },
      ],
      levels,
    )
    expect(shown('dictionary', 'A', { choices })).toBe('Gold')
    expect(shown('dictionary', 'C', { choices })).toBe('Bronze')
    expect(shown('dictionaries', ['A', 'C'], { choices })).toBe('Gold, Bronze')
    expect(offered(choices, []).map(({ value }) => value)).toEqual(['A', 'B'])
    expect(offered(choices, ['C']).at(-1)).toEqual({ label: 'Bronze', value: 'C', disabled: true })
  })

  test('choices are made once for a field and its list', () => {
    const source = [{ label: 'Gold', value: 'A' }]
    expect(choicesOf(source, levels)).toBe(choicesOf(source, levels))
  })

  test('amounts show the currency beside them and keep their decimals', () => {
    const money = field('amount', 'money', { money: 'currency' })
    expect(shown('money', '1234.5', { field: money, sibling: () => 'USD' })).toBe('1,234.50 USD')
    expect(shown('money', '1.23456', { field: money, sibling: () => 'JPY' })).toBe('1.23456 JPY')
  })

  test('days have their weekday, instants the clock of the viewer', () => {
    expect(shown('date', '2026-03-10')).toBe('2026-03-10 Tue')
    expect(shown('date', '2026-03-10', { locale: 'zh' })).toBe('2026-03-10 周二')
    expect(shown('dateTime', '2026-03-10T02:00:00.000Z')).toBe('2026-03-10 10:00')
  })

  test('references show titles, or the id as long as the title is not there', () => {
    const owner = field('ownerId', 'ref', {
      ref: { entity: 'sys.staff', label: 'Staff', path: '/v2/sys/staff/user', where: () => [] },
    })
    expect(
      shown('ref', 's1', { field: owner, title: (entity, id) => (entity === 'sys.staff' && id === 's1' ? 'Li' : undefined) }),
    ).toBe('Li')
    expect(shown('ref', 's2', { field: owner })).toBe('s2')
  })

  test('rich text shows its words, a password nothing of itself, files their names', () => {
    expect(shown('richText', '<p>a &amp; <b>b</b></p><p>c</p>')).toBe('a & b\nc')
    expect(shown('password', 'secret')).not.toContain('secret')
    expect(shown('files', [{ id: '1', name: 'a.pdf' }])).toBe('a.pdf')
  })
})

describe('pasted text', () => {
  test('becomes values of the kind, or nothing that can be understood', () => {
    expect(parsed('number', '1,234.5')).toBe(1234.5)
    expect(parsed('decimal', '1,234.50')).toBe('1234.5')
    expect(parsed('number', 'abc')).toBeUndefined()
    expect(parsed('date', '2026/3/1')).toBe('2026-03-01')
    expect(parsed('switch', '是')).toBe(true)
    expect(parsed('select', 'gold', { choices: [{ label: 'Gold', value: 'A' }] })).toBe('A')
    expect(parsed('select', 'lead', { choices: [{ label: 'Gold', value: 'A' }] })).toBeUndefined()
  })
})
