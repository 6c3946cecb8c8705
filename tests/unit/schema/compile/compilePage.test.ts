import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePage, type CompileBundle } from '../../../../src/schema'
import type { PageDocument } from '../../../../src/schema/generated/page'
import { bundleOf, contextOf, list, modelOf } from './world'

const listPage = (more: object = {}): PageDocument =>
  ({
    formatVersion: 3,
    kind: 'list',
    path: '/demo/orders',
    title: { zh: '订单', en: 'Orders' },
    entity: 'demo.order',
    ...more,
  }) as PageDocument

const isFrozen = (value: unknown, seen = new Set<unknown>()): boolean => {
  if (value === null || typeof value !== 'object' || seen.has(value)) return true
  seen.add(value)
  return Object.isFrozen(value) && Object.values(value).every((inner) => isFrozen(inner, seen))
}

describe('compilePage', () => {
  it('R012 resolves every text in the locale', () => {
    expect(list({}, { locale: 'zh' })).toMatchObject({ title: '订单', locale: 'zh', body: { entityLabel: '订单' } })
    expect(list({}, { locale: 'en' })).toMatchObject({ title: 'Orders', locale: 'en', body: { entityLabel: 'Order' } })
  })

  it('freezes the whole model and leaves the bundle as it was', () => {
    const bundle = bundleOf(listPage({ rowActions: [{ id: 'delete', operation: 'delete' }], props: undefined }))
    const before = JSON.stringify(bundle)
    const result = compilePage(bundle, contextOf())
    expect(isFrozen(result)).toBe(true)
    expect(JSON.stringify(bundle)).toBe(before)
  })

  it('remembers by revision, locale, zone and the keys that the page names, and by nothing else', () => {
    const bundle = bundleOf(listPage({ actions: [{ id: 'add', operation: 'add' }], permission: 'demo:orders' }))
    const first = compilePage(bundle, contextOf({ permissions: new Set(['demo:order:add']) }))
    expect(compilePage({ ...bundle }, contextOf({ permissions: new Set(['demo:order:add', 'something:else']) }))).toBe(first)
    expect(compilePage(bundle, contextOf({ permissions: new Set() }))).not.toBe(first)
    expect(compilePage(bundle, contextOf({ permissions: new Set(['demo:order:add']), locale: 'zh' }))).not.toBe(first)
    expect(compilePage({ ...bundle, revision: 'next' }, contextOf({ permissions: new Set(['demo:order:add']) }))).not.toBe(first)
  })

  it('asks the viewer again for keys that expressions name or compute', () => {
    const named = bundleOf(listPage({ columns: [{ field: 'name', tone: "{{ can('demo:secret') ? 'error' : null }}" }] }))
    expect(compilePage(named, contextOf({ permissions: new Set(['demo:secret']) }))).not.toBe(
      compilePage(named, contextOf({ permissions: new Set() })),
    )
    const computed = bundleOf(listPage({ columns: [{ field: 'name', tone: "{{ can(row.key) ? 'error' : null }}" }] }))
    expect(compilePage(computed, contextOf({ permissions: new Set() }))).not.toBe(
      compilePage(computed, contextOf({ permissions: new Set() })),
    )
  })

  it('fails as a whole only when nothing is left, with the reason', () => {
    const result = compilePage(bundleOf(listPage({ entity: 'demo.ordr' })), contextOf())
    expect(result.ok ? [] : result.problems).toMatchObject([{ code: 'unknown-entity', at: '/entity', hint: 'demo.order' }])
  })

  it('checks widgets when they are known', () => {
    const page = { formatVersion: 3, kind: 'widget', title: { zh: '页', en: 'Page' }, widget: 'demo.gauge' } as PageDocument
    expect(modelOf(page)).toMatchObject({ kind: 'widget', widget: 'demo.gauge', props: {}, layout: 'page' })
    const result = compilePage(bundleOf(page), contextOf({ knownWidgets: new Set(['demo.gauges']) }))
    expect(result.ok ? [] : result.problems).toMatchObject([{ code: 'unknown-widget', hint: 'demo.gauges' }])
  })

  it('embeds a sub-application by its name', () => {
    expect(modelOf({ formatVersion: 3, kind: 'embed', title: { zh: '页', en: 'Page' }, iframeName: 'srm' })).toMatchObject({
      kind: 'embed',
      iframeName: 'srm',
    })
  })

  it('never throws, whatever stands in place of a right value', () => {
    const page = listPage({
      columns: [{ field: 'name', open: '/x?id={{ row.id }}' }, { field: 'supplierId.code' }],
      filters: [{ field: 'status' }],
      where: [{ field: 'status', value: 'open' }],
      rowActions: [{ id: 'close', transition: 'close' }],
      sort: [{ field: 'name', order: 'asc' }],
    })
    const base = bundleOf(page)
    const places = pathsOf({ page: base.page, entities: base.entities, dictionaries: base.dictionaries })
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), (path, value) => {
        const bundle = structuredClone(base) as CompileBundle & Record<string, unknown>
        put(bundle, path, value)
        const result = compilePage({ ...bundle, revision: `${path.join('/')}=${JSON.stringify(value)}` }, contextOf())
        expect(result.ok || result.problems.length > 0).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return [path]
  const inside = Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))
  return path.length === 0 ? inside : [path, ...inside]
}

function put(target: object, path: readonly string[], value: unknown): void {
  let at = target as Record<string, unknown>
  for (const step of path.slice(0, -1)) at = at[step] as Record<string, unknown>
  const last = path.at(-1)
  if (last !== undefined) at[last] = value
}
