import { isCurrency } from '../currency-digits'
import { cellText, plainText, CODE_OPERATORS, isBlank, refuse, say, short, textCell, type FieldFormat } from '../format'

const NAMES: Record<string, string> = {
  ...{
    人民币: 'CNY',
    rmb: 'CNY',
    '¥': 'CNY',
    '￥': 'CNY',
    美元: 'USD',
    $: 'USD',
    us$: 'USD',
    欧元: 'EUR',
    '€': 'EUR',
    港币: 'HKD',
    港元: 'HKD',
  },
  ...{
    英镑: 'GBP',
    '£': 'GBP',
    日元: 'JPY',
    新加坡元: 'SGD',
    新币: 'SGD',
    卢布: 'RUB',
    印度卢比: 'INR',
    韩元: 'KRW',
    泰铢: 'THB',
  },
}

/** ISO 4217 code. */
export const currencyFormat: FieldFormat = {
  kind: 'currency',
  store: { sql: 'text' },
  align: 'left',
  width: 90,
  operators: CODE_OPERATORS,
  control: 'currency',
  filterControl: 'currencies',
  validate: (value) =>
    isBlank(value) || isCurrency(value)
      ? null
      : say(`“${short(value)}”不是货币代码（如 USD）。`, `"${short(value)}" is not the code of a currency (such as USD).`),
  show: (value) => plainText(value),
  parse: (cell) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    const named = Object.hasOwn(NAMES, text.toLowerCase()) ? NAMES[text.toLowerCase()] : text.toUpperCase()
    return isCurrency(named)
      ? { value: named }
      : refuse(`“${short(text)}”不是货币代码。`, `"${short(text)}" is not the code of a currency.`)
  },
  export: (value) => textCell(plainText(value)),
  example: {
    field: { type: 'string', format: 'currency' },
    value: 'CNY',
    shown: { zh: 'CNY', en: 'CNY' },
    typed: ['cny', '人民币', 'RMB'],
  },
}
