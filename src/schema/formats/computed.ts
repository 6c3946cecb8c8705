import type { FieldKind } from '../model'
import { currencyDigits } from './currency-digits'
import { Exact, exactText, roundedText, toExact } from './decimal'
import type { FormatField } from './format'
import { decimalFormat } from './kinds/decimal'
import { moneyFormat } from './kinds/money'
import { percentFormat } from './kinds/percent'

const EXACT_KINDS = new Map([decimalFormat, moneyFormat, percentFormat].map(({ kind, store }) => [kind, store.scale ?? 0]))

/**
 * A number that an expression or code worked out, as its field keeps it: rounded half up to its `x-scale`, else to the digits of
 * `currency` where an amount of money is stated in one, else to what its kind stores. Whatever else it is stays as it is. What people
 * type is never rounded: with too many decimals it is refused.
 */
export function computedValue(
  { kind, field }: { kind: FieldKind; field: Pick<FormatField, 'x-scale'> },
  value: unknown,
  currency?: string,
): unknown {
  const kept = EXACT_KINDS.get(kind)
  const exact = kept === undefined ? undefined : value instanceof Exact ? value : toExact(value)
  if (kept === undefined || !exact) return value
  const { 'x-scale': scale } = field
  if (kind === 'money' && currency !== undefined) return roundedText(exact, scale ?? currencyDigits(currency))
  const digits = scale ?? kept
  return typeof value === 'string' && exact.decimalPlaces() <= digits ? value : exactText(exact.toDecimalPlaces(digits))
}
