import { describe, expect, it } from 'vitest'
import type { TemplateRow } from '../../../../../../gateway/modules/crm/rules/template'
import { customerFieldsOf, templateFor, withTemplate } from '../../../../../../gateway/modules/crm/rules/template'
import { compileExpression } from '../../../../../../src/schema/expression'
import type { FormNode, PageDocument } from '../../../../../../src/schema/generated/page'
import { wholeSchema } from '../../../../../support/schemas'

const form = wholeSchema<PageDocument>('crm/pages/customer.json')
const row = (field: TemplateRow['field'], more: Partial<TemplateRow> = {}): TemplateRow => ({
  field,
  partyType: null,
  tradeType: null,
  stages: [],
  required: false,
  defaultValue: null,
  ...more,
})
const nodeOf = (page: PageDocument, field: string): FormNode => {
  const find = (node: FormNode): FormNode | undefined =>
    node.$field === `crm.customer.${field}`
      ? node
      : Object.values(node.properties ?? {})
          .map(find)
          .find(Boolean)
  const found = page.kind === 'form' ? find(page.schema) : undefined
  if (!found) throw new Error(field)
  return found
}
const says = (word: unknown, $values: object, $record: object | null = null): unknown =>
  compileExpression(String(word))({ $values, $record })

describe('The customer template', () => {
  it('hides, requires and fills in by party type, trade type and stage; hiding beats requiring', () => {
    const rows = [
      row('taxNo', { tradeType: 'wholesale', required: true }),
      row('regNo', { partyType: 'partner', shown: false }),
      row('regNo', { required: true }),
      row('remark', { stages: ['dealt'], required: true }),
      row('city', { defaultValue: '上海' }),
    ]
    const partner = templateFor(rows, { partyType: 'partner', tradeType: 'wholesale', stage: 'dealt' })
    expect(Object.fromEntries(partner)).toEqual({
      taxNo: { hidden: false, required: true, defaultValue: null },
      regNo: { hidden: true, required: false, defaultValue: null },
      remark: { hidden: false, required: true, defaultValue: null },
      city: { hidden: false, required: false, defaultValue: '上海' },
    })
    expect([...templateFor(rows, { partyType: 'customer', tradeType: 'direct' }).keys()]).toEqual(['regNo', 'city'])
  })

  it('takes rows of older versions, which do not say whether a field is shown, as shown', () => {
    expect(templateFor([row('regNo', { required: true })], {}).get('regNo')).toMatchObject({ hidden: false, required: true })
  })

  it('goes over the customer form as expressions that follow what is chosen', () => {
    const page = withTemplate(form, [
      row('regNo', { tradeType: 'direct', shown: false }),
      row('taxNo', { tradeType: 'wholesale', stages: ['potential'], required: true }),
      row('city', { partyType: 'customer', defaultValue: '上海 "浦东"' }),
    ])
    const regNo = nodeOf(page, 'regNo')
    expect(says(regNo['x-visible'], { tradeType: 'direct' })).toBe(false)
    expect(says(regNo['x-visible'], { tradeType: 'wholesale' })).toBe(true)
    expect(says(regNo['x-hidden'], { tradeType: 'direct' })).toBe(false)
    const taxNo = nodeOf(page, 'taxNo')
    expect(says(taxNo['x-required'], { tradeType: 'wholesale' })).toBe(true)
    expect(says(taxNo['x-required'], { tradeType: 'wholesale' }, { id: '1', stage: 'dealt' })).toBe(false)
    expect(says(nodeOf(page, 'city').default, { partyType: 'customer' })).toBe('上海 "浦东"')
    expect(says(nodeOf(page, 'city').default, { partyType: 'partner' })).toBeNull()
  })

  it('keeps the value of a customer that has one: the field is hidden, not taken out', () => {
    const regNo = nodeOf(withTemplate(form, [row('regNo', { tradeType: 'direct', shown: false })]), 'regNo')
    const record = { id: '1', tradeType: 'direct' }
    expect(says(regNo['x-visible'], { tradeType: 'direct' }, record)).toBe(true)
    expect(says(regNo['x-hidden'], { tradeType: 'direct' }, record)).toBe(true)
  })

  it('keeps what the form says itself', () => {
    const page = withTemplate(form, [
      row('agentId', { tradeType: 'wholesale', shown: false }),
      row('nameEn', { tradeType: 'direct', required: true }),
    ])
    const agent = nodeOf(page, 'agentId')
    expect(says(agent['x-visible'], { partyType: 'partner', tradeType: 'direct' })).toBe(false)
    expect(says(agent['x-visible'], { partyType: 'customer', tradeType: 'direct' })).toBe(true)
    expect(says(agent['x-visible'], { partyType: 'customer', tradeType: 'wholesale' })).toBe(false)
    const nameEn = nodeOf(page, 'nameEn')
    expect(says(nameEn['x-required'], { countryCode: 'SG', tradeType: 'wholesale' })).toBe(true)
    expect(says(nameEn['x-required'], { countryCode: 'CN', tradeType: 'wholesale' })).toBe(false)
    expect(says(nameEn['x-required'], { countryCode: 'CN', tradeType: 'direct' })).toBe(true)
  })

  it('leaves a form without customers, and the other nodes, as they are', () => {
    const contact = wholeSchema<PageDocument>('crm/pages/contact.json')
    expect(customerFieldsOf(contact).size).toBe(0)
    expect(withTemplate(contact, [row('regNo', { shown: false })])).toEqual(contact)
    expect(nodeOf(withTemplate(form, [row('regNo', { shown: false })]), 'taxNo')).toEqual(nodeOf(form, 'taxNo'))
  })
})
