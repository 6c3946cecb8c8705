import type { EntityDocument, EntityField } from '../generated/entity'

/** The customer's side of a charged record, or the supplier's. */
export type ChargeSideName = 'revenue' | 'cost'

/** What one side of a charged record is read from, by the names of its fields. */
export interface ChargeSide {
  side: ChargeSideName
  amount: string
  account: string
  day: string
  /** What the ledger has of the amount; of records that are posted whole nothing says it. */
  posted: 'postedRevenue' | 'postedCost'
  /** The posting of a record that its own job posts whole. */
  posting: string | null
  /** Set where another record charges this side. */
  unless: string | null
}

/** An entity whose records are charged (`x-charge`). */
export interface ChargedEntity {
  entity: string
  /** The moment that decides its table of the day; null for an entity in one table. */
  by: string | null
  /** The product of all its records, or the field that says it. */
  product: { value: string } | { field: string }
  /** Set on records that cost nobody anything. */
  test: string | null
  /** The fields of the customer's account and day with which its records are locked; null where they have none. */
  whose: { account: string; day: string } | null
  sides: readonly ChargeSide[]
}

const DEFAULTS = {
  revenue: { amount: 'revenue', account: 'accountId', day: 'billDay', posted: 'postedRevenue' },
  cost: { amount: 'costAmount', account: 'supplierAccountId', day: 'costDay', posted: 'postedCost' },
} as const
const SIDES = ['revenue', 'cost'] as const
const TEST = 'testFlag'

type Charging = Pick<EntityDocument, 'name' | 'properties' | 'x-charge' | 'x-partition'>

/** How records of an entity are charged; null where they are not. */
export function chargedEntity(entity: Charging): ChargedEntity | null {
  const word = entity['x-charge']
  if (!word) return null
  const customer = { ...DEFAULTS.revenue, ...(word.revenue || {}) }
  const isOwn = (name: string): boolean => entity.properties[name] !== undefined
  return {
    entity: entity.name,
    whose: isOwn(customer.account) && isOwn(customer.day) ? { account: customer.account, day: customer.day } : null,
    by: entity['x-partition']?.by ?? null,
    product: word.product === undefined ? { field: 'product' } : { value: word.product },
    test: entity.properties[TEST] ? TEST : null,
    sides: SIDES.flatMap((side): ChargeSide[] => {
      const given = word[side]
      return given === false ? [] : [{ side, ...DEFAULTS[side], posting: null, unless: null, ...given }]
    }),
  }
}

/** Of a charged entity: what of its records is in the ledger, told to whoever may see the amounts. */
export function chargeFields(entity: Charging): Readonly<Record<string, EntityField>> {
  const charged = chargedEntity(entity)
  const gathered = charged?.sides.filter(({ posting }) => posting === null) ?? []
  if (gathered.length === 0) return {}
  const labels = { revenue: { zh: '已记收入', en: 'Posted revenue' }, cost: { zh: '已记成本', en: 'Posted cost' } } as const
  const posted = gathered.map(({ side, amount, posted: name }): [string, EntityField] => {
    const sensitive = entity.properties[amount]?.['x-sensitive']
    const field: EntityField = { type: 'string', format: 'decimal', 'x-scale': 6, readOnly: true, 'x-label': labels[side] }
    return [name, sensitive === undefined ? field : { ...field, 'x-sensitive': sensitive }]
  })
  return {
    usageBatchId: { type: 'string', maxLength: 40, readOnly: true, 'x-label': { zh: '记账批次', en: 'Posting batch' } },
    ...Object.fromEntries(posted),
  }
}
