import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeSnapshot } from '../../../../gateway/pages/changes/live'
import { readReleasedSchemas, type AcceptedSource } from '../../../../gateway/pages/registry'
import { compose, type Overlay } from '../../../../gateway/pages/changes/compose'
import { concerned } from '../../../../gateway/pages/changes/concerned'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { walksOf } from '../../../support/walkPart'

const { partOf } = walksOf(import.meta.filename)

let files: readonly AcceptedSource[]
beforeAll(async () => {
  files = await readReleasedSchemas(resolve('schemas'))
})

const CASES: readonly (readonly [string, Overlay])[] = [
  ['a width of a column', { target: 'page:crm/my-client', role: '', changes: [{ at: 'columns/level/width', set: 222 }] }],
  ['an unknown field', { target: 'page:crm/my-client', role: '', changes: [{ at: 'columns', add: { field: 'levle' } }] }],
  [
    'another address of a page that others open',
    { target: 'page:crm/my-client', role: '', changes: [{ at: 'path', set: '/crm/elsewhere' }] },
  ],
  [
    'a field that pages show and that goes',
    { target: 'entity:crm.customer', role: '', changes: [{ at: 'properties/level', remove: true }] },
  ],
  [
    'a field that pages read through references and that goes',
    { target: 'entity:crm.customer', role: '', changes: [{ at: 'properties/agentId', remove: true }] },
  ],
  [
    'a field that choices are narrowed by and that goes',
    { target: 'entity:biz.application', role: '', changes: [{ at: 'properties/customerId', remove: true }] },
  ],
  [
    'a menu entry with its keys that goes',
    { target: 'module:crm', role: '', changes: [{ at: 'menu/client-partner', remove: true }] },
  ],
  [
    'a page of a role with an unknown field',
    { target: 'page:crm/my-client', role: 'sales', changes: [{ at: 'columns', add: { field: 'levle' } }] },
  ],
]

const isWalked = partOf('concerned', 1 / 3)

describe('checking only what a change concerns', () => {
  it.each(CASES.filter(([what]) => isWalked(what)))('finds what checking everything finds: %s', (_, overlay) => {
    const reference = makeSnapshot(files, {}, [])
    const quick = makeSnapshot(files, {}, [overlay], { reference })
    const whole = makeSnapshot(files, {}, [overlay])
    expect(quick.refused.map(({ overlay: { target }, problem }) => [target, problem.code, problem.at])).toEqual(
      whole.refused.map(({ overlay: { target }, problem }) => [target, problem.code, problem.at]),
    )
    expect(quick.revision).toBe(whole.revision)
  })

  it('looks only at the page when its columns change, and at all that names it when its address does', () => {
    const { documents } = makeSnapshot(files, {}, []).composed
    const size = (overlay: Overlay): number => {
      const now = compose(files, [overlay]).documents
      return concerned(now, documents)?.size ?? now.length
    }
    expect(size(CASES[0]![1])).toBe(1)
    expect(size(CASES[2]![1])).toBeGreaterThan(5)
    expect(size(CASES[6]![1])).toBe(documents.length)
  })
})

describe('changes from before the present format', () => {
  it('come out in the words of today: a computed field, a condition of a transition', () => {
    const { documents } = compose(files, [
      {
        target: 'entity:crm.visit',
        role: '',
        changes: [
          {
            at: 'properties/late',
            set: {
              type: 'boolean',
              'x-label': { zh: '迟到', en: 'Late' },
              'x-computed': "{{ status === 'overdue' }}",
            },
          },
          { at: 'x-states/status/transitions/finish/when', set: '{{ !!startedAt }}' },
        ],
      },
    ])
    const visit = documents.find(({ value }) => (value as EntityDocument).name === 'crm.visit')!.value as EntityDocument
    expect(visit.properties.late?.['x-derived']).toEqual({ value: "{{ status === 'overdue' }}" })
    expect(visit.properties.late).not.toHaveProperty('x-computed')
    const finish = visit['x-states']?.[0]?.transitions.find(({ id }) => id === 'finish')
    expect(finish).not.toHaveProperty('when')
    expect(finish?.refuse).toContainEqual(expect.objectContaining({ when: '{{ !(!!startedAt) }}' }))
  })
})
