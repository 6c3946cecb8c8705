import { beforeEach, describe, expect, it } from 'vitest'
import { CODES } from '../../../../src/headless/failure'
import { RequestError } from '../../../../src/headless/host'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { documentFor } from '../../../../src/widgets/page-designer/preview/documentFor'
import { previewHost, type PreviewOptions } from '../../../../src/widgets/page-designer/preview/previewHost'
import { findTargets } from '../../../../src/widgets/page-designer/targets/TargetList'
import { designerTexts } from '../../../../src/widgets/page-designer/texts'
import { readTyped } from '../../../../src/widgets/page-designer/panel/JsonValue'
import type { JsonObject } from '../../../../src/schema/overlay'
import type { Target, Viewer } from '../../../../src/widgets/page-designer/types'
import { fakeHost } from '../../../support/fakeHost'

const entity = {
  formatVersion: 3,
  name: 'crm.customer',
  label: { zh: '客户', en: 'Customer' },
  titleField: 'name',
  type: 'object',
  properties: {},
}
let answer: unknown
beforeEach(() => {
  answer = { records: [{ id: '1', name: 'Acme', mobile: '138', remark: 'x' }] }
})
const make = (part: Partial<PreviewOptions> = {}, real = fakeHost({ answer: () => answer, permissions: ['a:b'] })) => {
  const visited: string[] = []
  const host = previewHost(real, {
    locale: 'en',
    theme: 'dark',
    device: 'Mobile',
    viewer: null,
    entities: { 'crm.customer': entity as EntityDocument },
    dictionaries: {},
    onSample: () => undefined,
    path: '/crm/list',
    onAddress: (address) => visited.push(address),
    ...part,
  })
  return { real, host, visited }
}
const query = { method: 'POST', path: '/v2/crm/customer/queryPage', body: { pageNo: 1 } } as const

describe('the preview', () => {
  it('reads real data, once for each question, and never saves anything', async () => {
    const { real, host } = make()
    await host.request(query)
    await host.request(query)
    expect(real.requests).toHaveLength(1)
    await expect(host.request({ method: 'POST', path: '/v2/crm/customer/save', body: {} })).rejects.toThrow('Nothing is saved')
    await expect(host.request({ method: 'POST', path: '/v2/crm/customer/deleteBatch', body: {} })).rejects.toThrow(
      'Nothing is saved',
    )
    await host.savePreference('columns', [])
    expect(real.requests).toHaveLength(1)
  })

  it('has the rights, the hidden and the masked fields of the person that is chosen', async () => {
    const viewer = {
      permissions: ['c:d'],
      fields: { 'crm.customer.remark': 'hide', 'crm.customer.mobile': 'mask' },
      label: { zh: '销售', en: 'Sales' },
      roles: ['sales'],
      variants: [],
    }
    const { host } = make({ viewer })
    expect([host.can('a:b'), host.can('c:d')]).toEqual([false, true])
    const customer = { remark: 'x', mobile: '138', level: 'A' }
    answer = {
      records: [{ id: '1', name: 'Acme', mobile: '138', remark: 'x' }],
      refs: { 'crm.customer': { 7: { title: 'Acme', fields: customer } }, 'sys.staff': { 8: { title: 'Li', fields: customer } } },
    }
    expect(await host.request(query)).toEqual({
      records: [{ id: '1', name: 'Acme', mobile: '***' }],
      refs: {
        'crm.customer': { 7: { title: 'Acme', fields: { mobile: '***', level: 'A' } } },
        'sys.staff': { 8: { title: 'Li', fields: customer } },
      },
    })
    answer = [{ id: '1', title: 'Acme', mobile: '138', remark: 'x' }]
    expect(await host.request({ method: 'POST', path: '/v2/crm/customer/select', body: {} })).toEqual([
      { id: '1', title: 'Acme', mobile: '***' },
    ])
  })

  it('shows examples where whoever looks may not read the data, also as choices of a form', async () => {
    const denied = fakeHost({
      answer: () => {
        throw new RequestError('business', 'No right.', CODES.noPermission)
      },
    })
    const { host } = make({}, denied)
    expect(await host.request({ method: 'POST', path: '/v2/crm/customer/select', body: {} })).toEqual([
      { id: 'example', title: 'Customer 1' },
      { id: 'example2', title: 'Customer 2' },
      { id: 'example3', title: 'Customer 3' },
    ])
  })

  it('says in both languages that rows stay those of whoever looks', () => {
    expect(designerTexts.zh.asOther).toContain('数据行和统计仍按您自己的权限')
    expect(designerTexts.en.asOther).toContain('rows and figures are your own')
  })

  it('lays the variants of the roles of whoever is chosen on what is being edited, and of no other role', () => {
    const page = (title: string): JsonObject => ({ kind: 'list', title, columns: [{ id: 'name' }, { id: 'price' }] })
    const as = (roles: string[], variants: string[] = []): Viewer => ({
      permissions: [],
      fields: {},
      label: { zh: '某人', en: 'Somebody' },
      roles,
      variants: variants.map((role) => ({ role, changes: [{ at: `columns/price/title`, set: role }] })),
    })
    const shown = (viewer: Viewer, role: string | null = null) =>
      JSON.stringify(documentFor(viewer, { role, base: page('released') }, page('edited')))
    expect(shown(as(['sales']))).toBe(JSON.stringify(page('edited')))
    expect(shown(as(['a', 'b'], ['a', 'b']))).toContain('{"id":"price","title":"b"}')
    // the variant of "a" is being edited: it stands in the document, and for others it does not
    expect(shown(as(['a', 'b'], ['a', 'b']), 'a')).toContain('edited')
    expect(shown(as(['a'], ['a']), 'a')).not.toContain('"title":"a"')
    expect(shown(as(['b'], ['b']), 'a')).toMatch(/released.*"title":"b"/)
  })

  it('stays where it is: another query of the page is shown in it, other pages are only named', () => {
    const { real, host, visited } = make()
    host.navigate('/crm/list?page=2')
    host.navigate('/crm/other')
    expect(visited).toEqual(['/crm/list?page=2'])
    expect(real.events.join()).toContain('/crm/other')
    expect([host.theme, host.device]).toEqual(['dark', 'Mobile'])
  })
})

describe('the list of targets', () => {
  const target = (name: string, part: Partial<Target> = {}): Target => ({
    target: name,
    kind: 'page',
    title: { zh: '我的客户', en: 'My customers' },
    made: false,
    drafts: [],
    variants: [],
    orphans: 0,
    unused: 0,
    faults: 0,
    ...part,
  })
  const targets = [
    target('page:crm/my-client', { path: '/crm/client-partner/my-client', entity: 'crm.customer', pageKind: 'list' }),
    target('entity:crm.customer', { kind: 'entity', title: { zh: '客户', en: 'Customer' }, orphans: 1 }),
  ]
  it.each([
    ['客户', 2],
    ['client-partner', 1],
    ['my list', 1],
    ['crm.customer', 2],
    ['nothing', 0],
  ])('finds %j by title, path, entity and kind', (typed, count) => {
    expect(findTargets(targets, typed, 'all', false)).toHaveLength(count)
  })
  it('shows one kind, or only what is changed', () => {
    expect(findTargets(targets, '', 'entity', false).map((found) => found.target)).toEqual(['entity:crm.customer'])
    expect(findTargets(targets, '', 'all', true).map((found) => found.target)).toEqual(['entity:crm.customer'])
  })
})

describe('a typed value', () => {
  it('is JSON where it is some, an expression or a text otherwise; half-written objects wait', () => {
    expect(readTyped('12')).toEqual({ value: 12 })
    expect(readTyped('["a"]')).toEqual({ value: ['a'] })
    expect(readTyped('{{ today }}')).toEqual({ value: '{{ today }}' })
    expect(readTyped('open')).toEqual({ value: 'open' })
    expect(readTyped(' ')).toEqual({ value: undefined })
    expect(readTyped('{"a": ')).toBeUndefined()
  })
})
