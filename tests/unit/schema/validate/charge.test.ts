import { describe, expect, it } from 'vitest'
import { readDocuments } from '../../../../src/schema/validate'
import { problemsOf, valueOf, world, worldContext } from './world'

const WHERE = 'schemas/demo/entities/item.json'
const label = (en: string) => ({ 'x-label': { zh: en, en } })

/** The small entity with a charge whose account is this field. */
function charged(account: object): Record<string, unknown> {
  const entity = valueOf(WHERE)
  return {
    ...entity,
    properties: {
      ...(entity.properties as object),
      costAmount: { type: 'string', format: 'decimal', ...label('Cost') },
      costDay: { type: 'string', format: 'date', ...label('Day') },
      supplierAccountId: { ...account, ...label('Account') },
    },
    'x-charge': { product: 'sms', revenue: false },
  }
}

const about = (problems: ReturnType<typeof problemsOf>): string[] =>
  problems.flatMap(({ code, at, message }) => (at === '/x-charge/cost' ? [`${code}: ${message.en}`] : []))

describe('The account of what is charged', () => {
  it('is a reference: a text would be owed to nobody', () => {
    expect(about(problemsOf([{ where: WHERE, type: 'entity', value: charged({ type: 'string' }) }]))).toEqual([
      'field-kind-mismatch: "supplierAccountId" cannot be the account of what is charged.',
    ])
    expect(
      about(problemsOf([{ where: WHERE, type: 'entity', value: charged({ type: 'string', 'x-ref': 'demo.item' }) }])),
    ).toEqual([])
  })

  it('may be kept by a module that is not there: then it reads as text', () => {
    const documents = world.documents.map((document) => {
      if (document.where === WHERE) return { ...document, value: charged({ type: 'string', 'x-ref': 'stock.account' }) }
      return document.type === 'module' ? { ...document, value: { ...(document.value as object), uses: ['stock'] } } : document
    })
    expect(about(readDocuments(documents, worldContext).problems)).toEqual([])
  })
})
