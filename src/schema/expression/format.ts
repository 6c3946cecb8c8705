/** The listed function `format`: a value as it is shown, without a field around it. */
import { currencyDigits } from '../formats/currency-digits'
import { showNumber } from '../formats/number'
import { dayClock, isDay, toInstant, wallClock } from '../formats/time'
import { Amount } from './amount'
import type { Call } from './call'
import { badArgument, exactOf, isEmpty, stringOf, wholeOf } from './functions/arguments'

const PATTERN = /^[YMDHhmsSAaQdW\s\-/.:,年月日时分秒[\]]{1,40}$/

export function formatValue(call: Call, [value, kind, detail]: readonly unknown[]): string {
  if (isEmpty(value)) return ''
  const wanted = stringOf(kind, call)
  const { locale, timeZone } = call.environment
  call.charge(20)
  switch (wanted) {
    case 'integer':
      return showNumber(exactOf(value).toString(), locale, 0)
    case 'decimal':
      return showNumber(exactOf(value).toString(), locale, isEmpty(detail) ? undefined : wholeOf(detail, 0, 20))
    case 'percent':
      return `${showNumber(exactOf(value).toString(), locale, isEmpty(detail) ? undefined : wholeOf(detail, 0, 20))}%`
    case 'money':
      return showNumber(
        exactOf(value).toString(),
        locale,
        typeof detail === 'number'
          ? wholeOf(detail, 0, 20)
          : currencyDigits(detail ?? (value instanceof Amount ? value.currency : undefined)),
      )
    case 'date':
      return formatDate(value, 'YYYY-MM-DD', timeZone)
    case 'dateTime':
      return formatDate(value, 'YYYY-MM-DD HH:mm', timeZone)
    default:
      if (PATTERN.test(wanted)) return formatDate(value, wanted, timeZone)
      throw badArgument(`format 不认识“${wanted.slice(0, 40)}”。`, `format does not know "${wanted.slice(0, 40)}".`)
  }
}

function formatDate(value: unknown, pattern: string, timeZone: string): string {
  if (isDay(value)) return dayClock(value).format(pattern)
  const instant = toInstant(value)
  if (instant !== undefined) return wallClock(instant, timeZone).format(pattern)
  throw badArgument('format 需要日期或时间。', 'format needs a date or an instant.')
}
