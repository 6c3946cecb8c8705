import { describe, expect, it } from 'vitest'
import { evaluate } from '../../../../src/schema/expression'
import {
  branchOf,
  fieldsOf,
  formPage,
  hashOf,
  nodeById,
  pathTo,
  rightsOf,
  tolerantText,
  walkNodes,
} from '../../../../src/schema/process'
import { problemsOf } from '../validate/world'
import { limit, modelOf, valuesIn } from './world'

const ids = (nodes: Iterable<{ id: string }>): string[] => [...nodes].map(({ id }) => id)

describe('A process as a tree', () => {
  it('finds nodes, their branches, and what is surely passed before them', () => {
    const process = limit()
    expect(ids(walkNodes(process))).toEqual(['start', 'leader', 'credit', 'size', 'cfo', 'copy', 'end'])
    expect(nodeById(process, 'cfo')?.multiMode).toBe('all')
    expect(branchOf(process, 'cfo')?.branch.id).toBe('large')
    expect(branchOf(process, 'copy')).toBeUndefined()
    expect(ids(pathTo(process, 'cfo'))).toEqual(['start', 'leader', 'credit', 'size'])
    expect(ids(pathTo(process, 'copy'))).toEqual(['start', 'leader', 'credit', 'size'])
    expect(pathTo(process, 'nobody')).toEqual([])
  })
})

describe('Rights of a node', () => {
  it('are what it says, else to type at the start and to read later', () => {
    const process = limit()
    const start = rightsOf(process, 'start')
    expect(start).toMatchObject({ itemId: 'E', status: 'R', approvedLimit: 'H', urgency: 'E', lines: 'E' })
    expect(start).toMatchObject({ 'lines.billId': 'E', 'lines.open': 'R', 'lines.checked': 'H' })
    const credit = rightsOf(process, 'credit')
    expect(credit).toMatchObject({ itemId: 'R', approvedLimit: 'E', riskNote: 'M', urgency: 'R', 'lines.checked': 'E' })
  })

  it('of an onlooker hide only what nobody sees after the start', () => {
    const process = limit()
    expect(rightsOf(process, null)).toMatchObject({ approvedLimit: 'R', riskNote: 'R', itemId: 'R' })
    for (const node of walkNodes(process)) if (node.kind === 'approve') node.fieldRights = { riskNote: 'H' }
    expect(rightsOf(process, null)).toMatchObject({ approvedLimit: 'R', riskNote: 'H' })
  })
})

describe('The form of a process', () => {
  it('stands in its groups, with what every form asks in the last one', () => {
    const model = modelOf(limit(), rightsOf(limit(), 'start'))
    const groups = Object.values(model.schema.properties ?? {}).map(({ title }) => title)
    expect(groups).toEqual(['What is asked for', 'Bills', 'About this application'])
    const values = valuesIn(model.schema)
    expect(Object.keys(values)).not.toContain('approvedLimit')
    expect(Object.keys(values)).not.toContain('lines.checked')
    expect(values.itemId).toMatchObject({ title: 'Item', required: true })
    expect(values.status).toMatchObject({ 'x-pattern': 'readPretty' })
    expect(values['lines.billId']?.['x-field']).toMatchObject({ kind: 'ref', entity: 'formrow.limitLines' })
  })

  it('draws each right: hidden is not there, read is text, must be filled is required', () => {
    const process = limit()
    const values = valuesIn(modelOf(process, rightsOf(process, 'credit')).schema)
    expect(values.itemId).toMatchObject({ 'x-pattern': 'readPretty' })
    expect(values.approvedLimit?.['x-pattern']).toBeUndefined()
    expect(values.riskNote).toMatchObject({ required: true })
    expect(values['lines.checked']?.['x-pattern']).toBeUndefined()
    expect(values['lines.billId']).toMatchObject({ 'x-pattern': 'readPretty' })
    expect(values.lines).toMatchObject({ 'x-component-props': { fixed: true } })
    expect(modelOf(process, rightsOf(process, null)).readPretty).toBe(true)
  })

  it('says expressions over the values of the form and over what the gateway tells of its records', () => {
    const process = limit()
    const page = formPage(process, rightsOf(process, 'start'))
    expect(page.facts).toEqual({
      call: 'POST /v2/workflow/form/facts',
      params: { code: 'limit' },
      of: ['held', 'itemId.status', 'itemId.currency', 'itemId.price', 'lines.billId.price'].sort(
        (a, b) => page.facts!.of.indexOf(a) - page.facts!.of.indexOf(b),
      ),
      reads: ['itemId', 'lines'],
    })
    const values = valuesIn(modelOf(process, rightsOf(process, 'start')).schema)
    const $facts = { 'itemId.price': { i1: 300 }, 'lines.billId.price': { b1: 40, b2: 50 } }
    const run = (name: string, scope: object): unknown => evaluate(String(values[name]?.['x-value']), { $facts, ...scope })
    expect(run('currentLimit', { $values: { itemId: 'i1' } })).toBe(300)
    expect(run('currentLimit', { $values: {} })).toBeUndefined()
    expect(run('lines.open', { $values: {}, $record: { billId: 'b2' } })).toBe(50)
    expect(run('lines.due', { $values: {}, $record: { open: '50', part: '10' } })).toBe(5)
    expect(
      run('total', {
        $values: {
          lines: [
            { open: '1.50', due: '2' },
            { open: '10', due: null },
          ],
        },
      }),
    ).toBe(13.5)
  })

  it('takes an order in which one side is empty for one that does not hold', () => {
    const visible = String(valuesIn(modelOf(limit(), rightsOf(limit(), 'start')).schema).proofFiles?.['x-visible'])
    expect(evaluate(visible, { $values: { applyLimit: '100000.00' } })).toBe(true)
    expect(evaluate(visible, { $values: { applyLimit: '9000.00' } })).toBe(false)
    expect(evaluate(visible, { $values: {} })).toBe(false)
    expect(evaluate(tolerantText('{{ a.b.c < 3 || !(d >= 1) }}'), { a: null, d: null })).toBe(true)
    expect(evaluate(tolerantText('{{ a < 3 }}'), { a: null })).toBe(false)
    expect(evaluate(tolerantText('No. {{ a.b }} of {{ c }}'), { a: undefined, c: 2 })).toBe('No.  of 2')
  })
})

describe('A process', () => {
  it('is right in the small portal', () => {
    expect(
      problemsOf([{ where: 'schemas/demo/processes/limit.json', type: 'process', name: 'demo/limit', value: limit() }]),
    ).toEqual([])
  })

  it('lists its fields flat, with their types', () => {
    const fields = fieldsOf(limit())
    expect(fields.find(({ key }) => key === 'applyLimit')).toMatchObject({ type: 'money', required: true, branchable: true })
    expect(fields.find(({ key }) => key === 'lines')).toMatchObject({ type: 'rows', branchable: false })
    expect(fields.find(({ key }) => key === 'billId')).toMatchObject({ type: 'ref', row: 'lines', ref: 'demo.item' })
    expect(fields.find(({ key }) => key === 'total')).toMatchObject({ type: 'computed' })
    expect(fields.map(({ key }) => key)).toContain('urgency')
  })

  it('has an address by its content, in whatever order it is written, but for the order of its fields', () => {
    const process = limit()
    const { nodes, ...rest } = process
    expect(hashOf({ nodes, ...rest })).toBe(hashOf(process))
    expect(hashOf(process)).toMatch(/^sha256-[0-9a-f]{64}$/)
    expect(hashOf({ ...process, prefix: 'LX' })).not.toBe(hashOf(process))
    const turned = Object.fromEntries(Object.entries(process.form.fields).reverse())
    expect(hashOf({ ...process, form: { ...process.form, fields: turned } })).not.toBe(hashOf(process))
  })
})
