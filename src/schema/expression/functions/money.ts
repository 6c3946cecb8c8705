/** Functions of money: the decimals of a currency, and exchange rates, which the world around the expression knows. */
import { currencyDigits, minorUnit } from '../../formats/currency-digits'
import { Exact, exactText, roundedText } from '../../formats/decimal'
import { Amount, bounded, commonCurrency } from '../amount'
import type { Call, FunctionSpec } from '../call'
import { badArgument, dayOrNull, exactOf, isEmpty, stringOf } from './arguments'

/** Rounded half up to the decimals of the currency; text and amounts keep exactly that many. */
function inCurrency(value: Exact, currency: string, given: unknown): unknown {
  const digits = currencyDigits(currency)
  const rounded = bounded(value.toDecimalPlaces(digits), currency)
  if (given instanceof Amount) return new Amount(rounded.value, currency, roundedText(rounded.value, digits))
  return typeof given === 'string' ? roundedText(rounded.value, digits) : rounded.value.toNumber()
}

function currencyOf(given: unknown, call: Call): string {
  const code = stringOf(given, call)
  if (code !== '') return code
  throw badArgument('币种未知，无法按币种取整或换算。', 'The currency is not known: nothing can be rounded or converted by it.')
}

function roundMoney(call: Call, [value, given]: readonly unknown[]): unknown {
  if (isEmpty(value)) return null
  const currency = currencyOf(isEmpty(given) && value instanceof Amount ? value.currency : given, call)
  if (value instanceof Amount && value.currency !== undefined) commonCurrency([value, new Amount(value.value, currency)])
  return inCurrency(exactOf(value), currency, value)
}

/** Null: not known yet. */
function rateOf(call: Call, given: readonly unknown[]): Exact | null {
  const [from, to] = [currencyOf(given[0], call), currencyOf(given[1], call)]
  if (from === to) return new Exact(1)
  const find = call.environment.exchangeRate
  if (!find) throw badArgument('此处没有汇率，不能换算。', 'There are no exchange rates here: nothing can be converted.')
  const day = dayOrNull(given[2], call)
  if (day === null) throw badArgument('换算需要日期。', 'A conversion needs a day.')
  call.charge(20)
  const rate = find(from, to, day, isEmpty(given[3]) ? 'xe' : stringOf(given[3], call))
  if (rate !== undefined) return rate
  throw badArgument(
    `没有 ${day} 或之前的 ${from} 兑 ${to} 汇率，请先维护汇率。`,
    `There is no exchange rate from ${from} to ${to} on ${day} or before: enter it first.`,
  )
}

function convert(call: Call, [amount, from, to, day, kind]: readonly unknown[]): unknown {
  if (isEmpty(amount)) return null
  const rate = rateOf(call, [from, to, day, kind])
  if (rate === null) return null
  const currency = stringOf(from, call)
  if (amount instanceof Amount && amount.currency !== undefined) commonCurrency([amount, new Amount(amount.value, currency)])
  return inCurrency(exactOf(amount).times(rate), stringOf(to, call), amount)
}

export const MONEY_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: 'minorUnit',
    signature: 'minorUnit(currency)',
    arity: [1, 1],
    run: (call, [given]) => (isEmpty(given) ? null : exactText(minorUnit(stringOf(given, call)))),
  },
  {
    name: 'roundMoney',
    signature: 'roundMoney(amount, currency?)',
    arity: [1, 2],
    run: roundMoney,
  },
  {
    name: 'convert',
    signature: "convert(amount, from, to, day, kind = 'xe')",
    arity: [4, 5],
    run: convert,
  },
  {
    name: 'exchangeRate',
    signature: "exchangeRate(from, to, day, kind = 'xe')",
    arity: [3, 4],
    run: (call, given) => {
      const rate = rateOf(call, given)
      if (rate === null) return null
      call.exact = true
      return new Amount(rate)
    },
  },
]
