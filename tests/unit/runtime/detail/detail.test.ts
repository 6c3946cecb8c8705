import { describe, expect, it } from 'vitest'
import { offeredOn } from '../../../../src/runtime/detail/actions'
import { addressFor, neighboursOf } from '../../../../src/runtime/detail/neighbours'
import { neighboursKey } from '../../../../src/runtime/list/counting'
import { groupRows } from '../../../../src/headless/report/group'
import { fakeHost } from '../../../support/fakeHost'
import { action } from '../../../support/models'

describe('previous and next of a record', () => {
  it('come from the list that was shown last', () => {
    const host = fakeHost()
    host.local.set(neighboursKey('crm.customer'), JSON.stringify(['1', '2', '3']))
    expect(neighboursOf(host, 'crm.customer', '2')).toEqual({ previous: '1', next: '3' })
    expect(neighboursOf(host, 'crm.customer', '1')).toEqual({ previous: null, next: '2' })
    expect(neighboursOf(host, 'crm.customer', '9')).toEqual({ previous: null, next: null })
    expect(neighboursOf(host, 'crm.contact', '2')).toEqual({ previous: null, next: null })
    host.local.set(neighboursKey('crm.customer'), '{broken')
    expect(neighboursOf(host, 'crm.customer', '2')).toEqual({ previous: null, next: null })
  })

  it('keep everything else of the address but the name of the record', () => {
    expect(addressFor('/crm/details', 'id=2&tagTitle=Two', '2', '3')).toBe('/crm/details?id=3')
    expect(addressFor('/crm/details', 'id=2&tab=contacts&from=2026', '2', '3')).toBe('/crm/details?id=3&tab=contacts&from=2026')
  })
})

describe('actions of a record', () => {
  const release = action('release', {
    type: 'transition',
    entity: 'e',
    transition: {
      id: 'release',
      label: 'Release',
      field: 's',
      from: [],
      to: 'x',
      danger: false,
      fields: [],
      required: [],
      inputs: [],
      refusedBecause: () => null,
    },
    values: () => ({}),
  })
  const remove = action('delete', { type: 'operation', entity: 'e', operation: 'delete' })

  it('say what the gateway refuses and leave out what it forbids', () => {
    const offered = offeredOn([release, remove], {
      record: { id: '1' },
      can: { edit: true, delete: false, transitions: { release: 'It has open opportunities.' } },
    })
    expect(offered.map(({ id, disabledBecause }) => [id, disabledBecause({})])).toEqual([
      ['release', 'It has open opportunities.'],
    ])
  })

  it('stay as they are when the gateway says nothing about them', () => {
    expect(offeredOn([release, remove], { record: { id: '1' } })).toEqual([release, remove])
  })
})

describe('groups of a report', () => {
  it('add up exactly and keep the order of the rows', () => {
    const rows = [
      { m: 'b', v: '0.1' },
      { m: 'a', v: '1' },
      { m: 'b', v: '0.2' },
    ]
    const measures = [{ id: 'v', title: 'V' }]
    expect(groupRows(rows, ['m'], measures)).toEqual([
      { keys: ['b'], figures: { v: [{ value: '0.3' }] }, row: rows[0] },
      { keys: ['a'], figures: { v: [{ value: '1' }] }, row: rows[1] },
    ])
    expect(groupRows(rows, [], measures)[0]?.figures).toEqual({ v: [{ value: '1.3' }] })
  })
})
