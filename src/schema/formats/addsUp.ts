import type { PageField } from '../model'

/** What one unit costs, a rate, a share or a place in an order: the sum of several of them says nothing. */
const OF_ONE = /(?:price|rate|cost(?:Per|Mrc)\w*|pct|ratio|share|position|priority|version|year|month|day|hour)$/i
/** A decimal that counts pieces, minutes and the like. */
const QUANTITY = /(?:qty|quantity|amount|total|count|minutes|pieces)$/i

/** Whether the values of a field are parts of a whole. */
export const addsUp = ({ kind, name, sum }: Pick<PageField, 'kind' | 'name' | 'sum'>): boolean =>
  (kind === 'money' || kind === 'decimal' || kind === 'integer') &&
  (sum ?? ((kind !== 'decimal' || QUANTITY.test(name)) && !OF_ONE.test(name)))
