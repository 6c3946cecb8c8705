import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ExpressionError } from '../../../../src/schema/expression'
import { compileCell, registerCell, type CellContext, type CellItem } from '../../../../src/runtime/cell'
import { FORMATS } from '../../../../src/schema/formats'
import type { FieldKind } from '../../../../src/schema/model'
import { fakeHost } from '../../../support/fakeHost'
import { column } from '../../../support/models'

const context = (locale: 'zh' | 'en' = 'en', more: Partial<CellContext> = {}): CellContext => {
  const host = fakeHost({ locale })
  return { host, scope: {}, refs: {}, now: host.now().getTime(), ...more }
}
const html = (item: CellItem, row: Record<string, unknown>, given = context()): string =>
  renderToStaticMarkup(<>{compileCell(item)(row, given)}</>)
const options = [
  { code: 'A', label: 'Key account', color: 'gold' },
  { code: 'B', label: 'Old', retired: true },
]

describe('cells', () => {
  it('show a dash for nothing, in every kind', () => {
    for (const kind of Object.keys(FORMATS) as FieldKind[]) {
      for (const value of [null, undefined, '', []])
        expect(html(column('x', kind), { x: value })).toBe('<span class="sb-dash">—</span>')
    }
  })

  it('show the example of every format without failing', () => {
    for (const [kind, { example }] of Object.entries(FORMATS)) {
      expect(html(column('x', kind as FieldKind), { ...example.record, x: example.value })).not.toContain('sb-cell-error')
    }
  })

  it('escape what people typed and isolate its direction', () => {
    expect(html(column('x'), { x: '<script>alert(1)</script>' })).toBe('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>')
    expect(html(column('x'), { x: 'شركة' })).toBe('<bdi>شركة</bdi>')
  })

  it('show dictionary values as coloured tags with their word, unknown codes as they are', () => {
    const item = column('level', 'dictionary', {}, { dictionary: { name: 'level', options } })
    expect(html(item, { level: 'A' })).toBe('<span class="sb-tag sb-tag-gold">Key account</span>')
    expect(html(item, { level: 'B' })).toContain('sb-tag-retired')
    expect(html(item, { level: 'Z' })).toContain('Z')
  })

  it('show three of many tags and the number of the others', () => {
    const item = column('tags', 'dictionaries', {}, { dictionary: { name: 'level', options } })
    expect(html(item, { tags: ['A', 'B', 'C', 'D', 'E'] })).toContain('+2')
  })

  it('show all of many where there is room for them, in the comma of the language', () => {
    const item = column('where', 'countries')
    const value = { where: ['CN', 'FR', 'GB', 'SG'] }
    expect(html(item, value, context('zh'))).toContain('+1')
    const whole = html(item, value, { ...context('zh'), whole: true })
    expect(whole).not.toContain('+1')
    expect(whole.match(/、/g)).toHaveLength(3)
  })

  it('show amounts exactly, with their currency', () => {
    expect(html(column('x', 'money', {}, { money: 'currency' }), { x: '1234567.5', currency: 'JPY' })).toContain('1,234,568 JPY')
    expect(html(column('x', 'money', {}, { money: 'USD' }), { x: '-12.5' })).toContain('sb-negative')
    expect(html(column('x', 'decimal'), { x: '0.1000000000000000055' })).toContain('0.1000000000000000055')
  })

  it('show instants relative to the clock of the server, the exact one on hover', () => {
    const shown = html(column('x', 'dateTime'), { x: '2026-03-09T23:00:00.000Z' })
    expect(shown).toContain('3 hours ago')
    expect(shown).toContain('title="2026-03-10 07:00 (Asia/Shanghai)"')
    expect(html(column('x', 'dateTime'), { x: '2025-01-01T00:00:00.000Z' })).toContain('>2025-01-01 08:00<')
    expect(html(column('x', 'dateTime'), { x: '2026-03-09T23:00:00.000Z' }, context('zh'))).toContain('3小时前')
  })

  it('show the title of a referenced record, for staff name and job number (R155), its id when it is not known', () => {
    const item = column(
      'ownerId',
      'ref',
      {},
      { ref: { entity: 'sys.staff', label: 'Staff', path: '/v2/sys/staff', where: () => [] } },
    )
    const refs = { 'sys.staff': { s1: { title: '王伟 (S0042)', fields: { jobNumber: 'S0042' } } } }
    expect(html(item, { ownerId: 's1' }, context('en', { refs }))).toContain('王伟 (S0042)')
    expect(html(item, { ownerId: 's9' }, context('en', { refs }))).toContain('s9')
    expect(html(column('n', 'string', { path: ['ownerId', 'jobNumber'] }), { ownerId: 's1' }, context('en', { refs }))).toContain(
      'S0042',
    )
  })

  it('link only to pages that may be opened and to addresses that cannot run anything', () => {
    const item = column('name', 'string', { open: (scope) => `/details?id=${(scope.row as { id: string }).id}` })
    expect(html(item, { id: '7', name: 'Acme' })).toContain('<a class="sb-link" href="/details?id=7" data-sb-open="">')
    expect(html(column('name', 'string', { open: () => '/forbidden/x' }), { name: 'Acme' })).not.toContain('<a')
    expect(html(column('site', 'url'), { site: 'javascript:alert(1)' })).not.toContain('<a')
    expect(html(column('site', 'url'), { site: 'https://example.com/a' })).toContain('rel="noreferrer noopener"')
    expect(html(column('mail', 'email'), { mail: 'a***@example.com' })).not.toContain('<a')
  })

  it('say a tone with a mark and a word, never with colour alone', () => {
    const shown = html(column('days', 'integer', { tone: (scope) => (Number(scope.value) > 20 ? 'warning' : null) }), {
      days: 21,
    })
    expect(shown).toContain('▲')
    expect(shown).toContain('Attention')
    expect(
      html(column('days', 'integer', { tone: (scope) => (Number(scope.value) > 20 ? 'warning' : null) }), { days: 2 }),
    ).not.toContain('▲')
  })

  it('show masked text as it is', () => {
    expect(html(column('phone', 'phone', {}, { sensitive: 'crm:customer:viewSensitive' }), { phone: '138****0001' })).toContain(
      '138****0001',
    )
  })

  it('fail in place: reason and source instead of the value, the row goes on', () => {
    const given = context('zh')
    const item = column('x', 'string', {
      value: () => {
        throw new ExpressionError({
          code: 'empty-object',
          message: { zh: '“row.customer”为空。', en: '"row.customer" is empty.' },
          offset: 0,
          length: 1,
        })
      },
    })
    const shown = html(item, { x: 1 }, given)
    expect(shown).toContain('“row.customer”为空。')
    expect(shown).toContain('test.json /columns/x')
    expect(given.host).toHaveProperty('events.length', 1)
  })

  it('come from a registry: a widget adds its own, a taken name is refused, an unknown one says so', () => {
    registerCell('test.stars', (value) => '★'.repeat(Number(value)))
    expect(html(column('x', 'integer', { cell: 'test.stars' }), { x: 3 })).toBe('★★★')
    expect(() => registerCell('string', () => null)).toThrow('registered already')
    expect(html(column('x', 'integer', { cell: 'test.none' }), { x: 3 })).toContain('no cell named &quot;test.none&quot;')
  })
})
