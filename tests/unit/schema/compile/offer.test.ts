import { describe, expect, it } from 'vitest'
import { makeOffer } from '../../../../src/schema/compile/offer'
import type { EntityField, Transition } from '../../../../src/schema/generated/entity'

const label = { zh: '接收', en: 'Accept' }
const person: EntityField = { type: 'string', 'x-ref': 'sys.staff', 'x-label': label }
const fields = new Map<string, EntityField>([
  ['status', { type: 'string', 'x-dictionary': 'status', 'x-label': label }],
  ['createdBy', person],
  ['toStaffId', person],
  ['partnerIds', { ...person, type: 'array', items: { type: 'string' } }],
  ['departmentId', { ...person, 'x-ref': 'sys.department' }],
])
const scope = { user: { staffId: 's1' } }
const offer = (people: Partial<Pick<Transition, 'by' | 'not'>>, record: unknown): boolean =>
  makeOffer(fields, 'status', { id: 'accept', label, from: ['pending'], ...people })(record, scope)

describe('A transition', () => {
  it('is offered in its states, and where the record does not tell its state', () => {
    expect(offer({}, { status: 'pending' })).toBe(true)
    expect(offer({}, { status: 'accepted' })).toBe(false)
    expect(offer({}, {})).toBe(true)
    expect(offer({}, undefined)).toBe(true)
  })

  it('is offered to nobody who is surely none of those who may', () => {
    const by: Transition['by'] = [{ field: 'toStaffId' }, { field: 'partnerIds' }]
    expect(offer({ by }, { status: 'pending', toStaffId: 's1', partnerIds: [] })).toBe(true)
    expect(offer({ by }, { status: 'pending', toStaffId: 's2', partnerIds: ['s1'] })).toBe(true)
    expect(offer({ by }, { status: 'pending', toStaffId: 's2', partnerIds: ['s3'] })).toBe(false)
    expect(offer({ by: ['system'] }, { status: 'pending' })).toBe(false)
    expect(offer({ by: ['user'] }, { status: 'pending' })).toBe(true)
  })

  it('is offered to nobody who surely may not', () => {
    expect(offer({ not: ['creator'] }, { status: 'pending', createdBy: 's1' })).toBe(false)
    expect(offer({ not: ['creator'] }, { status: 'pending', createdBy: 's2' })).toBe(true)
  })

  it.each<NonNullable<Transition['by']>[number]>([
    { leaderOf: 'creator' },
    { role: 'manager' },
    { path: 'customerId.ownerId' },
    { field: 'departmentId' },
    'owner',
  ])('is offered where only the gateway knows: %j', (one) => {
    const record = { status: 'pending', departmentId: 'd1' }
    expect(offer({ by: [one] }, record)).toBe(true)
    expect(offer({ not: [one] }, record)).toBe(true)
  })
})
