import { pointer } from '../diagnosis'
import { chargedEntity } from '../entity/charge'
import { fieldKind } from '../formats'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { FieldKind } from '../model'
import type { Checker } from './checker'

/** Days on which money is owed: whoever has one says what becomes of it. */
const DAYS = ['billDay', 'costDay'] as const
const KINDS = { amount: ['decimal', 'money'], account: ['ref'], day: ['date'] } as const satisfies Record<
  string,
  readonly FieldKind[]
>

/** A record that is charged says so, and of what: nothing that is rated stays out of the ledger because nobody thought of it. */
export const checkCharge = (checker: Checker, entity: EntityDocument, fields: ReadonlyMap<string, EntityField>): void => {
  const day = DAYS.find((name) => entity.properties[name] !== undefined)
  if (entity['x-charge'] === undefined && day !== undefined)
    checker.add('missing-charge', pointer('/properties', day), {
      zh: `有“${day}”的记录须用 x-charge 说明如何入账，否则不会记入账本；只是统计数据的写 false。`,
      en: `Records with "${day}" say by x-charge how they are charged, or they never reach the ledger; false for what only tells figures.`,
    })
  const charged = chargedEntity(entity)
  if (!charged) return
  const kindOf = (name: string, at: string): FieldKind | undefined =>
    checker.field(fields, name, at, entity.name) ? fieldKind(fields.get(name)!) : undefined
  const { product } = charged
  if ('value' in product) checker.code('product', product.value, '/x-charge/product', 'field-kind-mismatch')
  else if (kindOf(product.field, '/x-charge') !== undefined && fields.get(product.field)?.['x-dictionary'] !== 'product')
    checker.add('field-kind-mismatch', '/x-charge', {
      zh: '“product”须取字典 product 的值；所有记录同一产品时写 x-charge.product。',
      en: '"product" has to hold codes of the dictionary product; give x-charge.product where all records are of one.',
    })
  for (const side of charged.sides) {
    const at = pointer('/x-charge', side.side)
    for (const word of ['amount', 'account', 'day'] as const) {
      const kind = kindOf(side[word], at)
      // the account of a module that is not there
      if (word === 'account' && kind === 'string' && checker.catalog.lacksModule) continue
      if (kind !== undefined && !KINDS[word].some((right) => right === kind))
        checker.add('field-kind-mismatch', at, {
          zh: `“${side[word]}”不能作为入账的${WORDS[word].zh}。`,
          en: `"${side[word]}" cannot be the ${WORDS[word].en} of what is charged.`,
        })
    }
    if (side.posting !== null && checker.field(fields, side.posting, pointer(at, 'posting'), entity.name))
      if (fields.get(side.posting)?.['x-ref'] !== 'fin.posting')
        checker.add('field-kind-mismatch', pointer(at, 'posting'), {
          zh: '凭证字段须引用 fin.posting。',
          en: 'The posting of a record is a reference to fin.posting.',
        })
    const unless = side.unless === null ? undefined : kindOf(side.unless, pointer(at, 'unless'))
    if (unless !== undefined && unless !== 'boolean')
      checker.add('field-kind-mismatch', pointer(at, 'unless'), {
        zh: '由其他记录入账的条件须是布尔字段。',
        en: 'Whether another record charges it is told by a yes-or-no field.',
      })
  }
}

const WORDS = {
  amount: { zh: '金额', en: 'amount' },
  account: { zh: '账户', en: 'account' },
  day: { zh: '日期', en: 'day' },
} as const
