import { describe, expect, it } from 'vitest'
import { compileEntity, restrictedFields, type EntityModel } from '../../../../src/schema/entity'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { flowsOf, widenedActs, widenedFields, type RightsHolder } from '../../../../src/schema/proof'

const both = (text: string) => ({ zh: text, en: text })
const text = (label: string, more: object = {}) => ({ type: 'string' as const, 'x-label': both(label), ...more })
const base: EntityDocument = {
  formatVersion: 3,
  name: 'shop.order',
  label: both('Order'),
  titleField: 'code',
  type: 'object',
  properties: {
    code: text('Code'),
    state: text('State', { 'x-dictionary': 'orderState' }),
    cost: text('Cost', { format: 'decimal', 'x-sensitive': 'shop:cost' }),
    note: text('Note'),
    customerId: text('Customer', { 'x-ref': 'shop.customer' }),
  },
  'x-scope': 'owned',
  'x-permissions': { add: 'shop:add', edit: 'shop:edit', delete: 'shop:delete' },
  'x-deletable': [{ in: ['draft'] }],
  'x-states': [
    {
      field: 'state',
      initial: 'draft',
      transitions: [{ id: 'close', label: both('Close'), from: ['draft'], to: 'closed', by: ['owner'] }],
    },
  ],
}
const customer: EntityDocument = {
  formatVersion: 3,
  name: 'shop.customer',
  label: both('Customer'),
  titleField: 'name',
  type: 'object',
  properties: { name: text('Name'), limit: text('Limit') },
  'x-scope': 'owned',
}
const find = (name: string): EntityModel | undefined => (name === 'shop.customer' ? compileEntity(customer) : undefined)
const model = (changed: Partial<EntityDocument> = {}): EntityModel => compileEntity({ ...base, ...changed }, find)
const holder = (keys: readonly string[], roles: readonly string[] = ['clerk']): RightsHolder => ({
  has: (key) => keys.includes(key),
  fieldRules: {},
  roles: new Set(roles),
})
const clerk = holder(['shop:edit', 'shop:delete'])
const acts = (changed: Partial<EntityDocument>, who = clerk) => widenedActs(model(), model(changed), who).map(({ id }) => id)
const fields = (changed: Partial<EntityDocument>, who = clerk) =>
  widenedFields(model(), model(changed), who, (one) => (name) => restrictedFields(one, who).get(name) ?? 'write').map(
    ({ id }) => id,
  )
const move = (changed: object) => ({
  'x-states': base['x-states']!.map((machine) => ({
    ...machine,
    transitions: machine.transitions.map((one) => ({ ...one, ...changed })),
  })),
})

describe('what a holder may do and could not', () => {
  it('is an operation whose key he holds now, and nothing for whoever held the one before', () => {
    const exported = { 'x-permissions': { ...base['x-permissions'], export: 'shop:edit', delete: 'shop:edit' } }
    expect(acts(exported)).toEqual(['export'])
    expect(acts(exported, holder(['shop:edit']))).toEqual(['delete', 'export'])
    expect(acts(exported, holder(['shop:add']))).toEqual([])
  })

  it('is a deletion in more states, by more people or without a grant; not in fewer', () => {
    expect(acts({ 'x-deletable': [{ in: ['draft', 'closed'] }] })).toEqual(['x-deletable'])
    expect(acts({ 'x-deletable': undefined })).toEqual(['x-deletable'])
    expect(acts({ 'x-deletable': [{ in: ['draft'], by: ['creator'] }] })).toEqual([])
    expect(acts({ 'x-deletable': [{ in: ['draft'] }, { by: [{ role: 'boss' }] }] })).toEqual([])
    expect(acts({ 'x-deletable': [{ in: ['draft'] }, { by: [{ role: 'clerk' }] }] })).toEqual(['x-deletable'])
  })

  it('is a transition for more people or in more states, or with further fields; none that only the system takes', () => {
    expect(acts(move({ from: ['draft', 'paid'] }))).toEqual(['transition:state/close more'])
    expect(acts(move({ by: ['owner', 'creator'] }))).toEqual(['transition:state/close more'])
    expect(acts(move({ not: ['creator'] }))).toEqual([])
    expect(acts(move({ fields: ['note'] }))).toEqual(['transition:state/close note'])
    expect(acts(move({ by: ['system'] }))).toEqual([])
  })

  it('is what a condition stood in the way of: one that is gone or says something else, not one more', () => {
    const refusal = (when: string, id = 'paid') => ({ id, when, message: both('No') })
    const change = (before: object, after: object) => widenedActs(model(before), model(after), clerk).map(({ id }) => id)
    const refusing = (...refuse: object[]) => move({ refuse })
    const paid = refusal('{{ cost > 5 }}')
    expect(change(refusing(paid), refusing())).toEqual(['transition:state/close more'])
    expect(change(refusing(paid), refusing(refusal('{{ cost > 9 }}')))).toEqual(['transition:state/close more'])
    expect(change(refusing(paid), refusing({ ...paid, message: both('Not now') }, refusal('{{ !note }}', 'noted')))).toEqual([])
    expect(change(refusing(), refusing(paid))).toEqual([])

    const offering = (...filter: object[]) => ({
      properties: { ...base.properties, customerId: text('Customer', { 'x-ref': 'shop.customer', 'x-refFilter': filter }) },
    })
    const own = { field: 'name', operator: 'eq', value: 'a' }
    expect(change(offering(own), offering())).toEqual(['filter:customerId'])
    expect(change(offering(own), offering({ ...own, value: 'b' }))).toEqual(['filter:customerId'])
    expect(change(offering(), offering(own))).toEqual([])

    const forbidding = (...entries: object[]) => ({ 'x-forbids': entries }) as Partial<EntityDocument>
    const running = { id: 'running', on: 'customerId', in: ['draft'], delete: true, message: both('Running') }
    expect(change(forbidding(running), {})).toEqual(['forbids:running'])
    expect(change(forbidding(running), forbidding({ ...running, message: both('Still running') }))).toEqual([])
  })

  it('is acting without the checks of a service', () => {
    const before = model({ 'x-service': 'shop.order' })
    expect(widenedActs(before, model(), clerk).map(({ id }) => id)).toEqual(['service:shop.order'])
    expect(widenedActs(model(), before, clerk)).toEqual([])
  })
})

describe('what a holder sees and may set', () => {
  it('is a field that is not masked or not read-only any more; not one that is new', () => {
    const { cost } = base.properties
    const { 'x-sensitive': _, ...open } = cost!
    expect(fields({ properties: { ...base.properties, cost: open } })).toEqual(['see:cost', 'set:cost'])
    expect(fields({ properties: { ...base.properties, cost: open } }, holder(['shop:cost', 'shop:edit']))).toEqual([])
    expect(fields({ properties: { ...base.properties, fresh: text('Fresh') } })).toEqual([])
    expect(fields({ properties: { ...base.properties, note: text('Note', { 'x-sensitive': 'shop:cost' }) } })).toEqual([])
  })
})

describe('where values go', () => {
  const added = (changed: Partial<EntityDocument>) => {
    const known = new Set(flowsOf(model()).map(({ id }) => id))
    return flowsOf(model(changed)).filter(({ id }) => !known.has(id))
  }

  it('defaults and derived values lead from what they read to the readers of the field', () => {
    const shown = text('Shown', { default: '{{ cost }}' })
    expect(added({ properties: { ...base.properties, shown } })).toMatchObject([
      { source: 'shop.order.cost', field: 'shop.order.shown', foreign: false, follows: false },
    ])
    const limit = text('Limit', { readOnly: true, 'x-derived': { value: '{{ customerId.limit }}' } })
    expect(added({ properties: { ...base.properties, limit } })).toMatchObject([
      { source: 'shop.order.customerId', foreign: false },
      { source: 'shop.customer.limit', field: 'shop.order.limit', foreign: true, follows: true },
    ])
  })

  it('sentences and effects tell what look-ups find, a function tells nobody knows what', () => {
    const lookups = {
      other: { first: 'shop.customer', where: [{ field: 'name', value: '{{ code }}' }] },
      asked: { function: 'shop.secret', with: {} },
    }
    const message = { zh: '{{ other.limit }}', en: '{{ asked.value }}' }
    expect(added({ 'x-lookups': lookups, 'x-rules': [{ id: 'tells', when: '{{ !code }}', message }] })).toMatchObject([
      { source: 'shop.customer.limit', foreign: true, sent: false },
      { source: 'function:shop.secret', foreign: true },
    ])
    const effects = [{ id: 'say', do: 'notify', with: { to: ['owner'], title: both('{{ cost }}') } }]
    expect(added(move({ effects }))).toMatchObject([{ source: 'shop.order.cost', sent: true, what: { en: 'effect "say"' } }])
    const copies = [{ id: 'keep', do: 'set', with: { note: '{{ before.cost }}' } }]
    expect(added(move({ effects: copies }))).toMatchObject([{ source: 'shop.order.cost', field: 'shop.order.note' }])
  })
})
