import type { DocumentedFunctions } from './documented'

export const MONEY_DOCUMENTATION: DocumentedFunctions = {
  roundMoney: {
    group: 'number',
    summary: {
      zh: '按币种的小数位（ISO 4217）四舍五入，如 USD 两位、JPY 零位；结果为该币种的金额。金额字段可省略币种。',
      en: 'Rounds half up to the decimals of the currency (ISO 4217), two for USD and none for JPY; the result is money of that currency. A money field needs no currency beside it.',
    },
    examples: [
      { expression: "roundMoney('1.005', 'USD')", result: '1.01' },
      { expression: "roundMoney('1234.5', 'JPY')", result: '1235' },
    ],
  },
  minorUnit: {
    group: 'number',
    summary: {
      zh: '币种的最小金额，如 USD 为 0.01、JPY 为 1。',
      en: 'The smallest amount of a currency: 0.01 for USD, 1 for JPY.',
    },
    examples: [
      { expression: "minorUnit('KWD')", result: '0.001' },
      { expression: "minorUnit('JPY')", result: '1' },
    ],
  },
  convert: {
    group: 'number',
    summary: {
      zh: '按某日（或之前最近一日）的汇率换算金额，按目标币种四舍五入；没有汇率时不计算，绝不当作 1。kind 为汇率类型。',
      en: 'The amount in another currency at the rate of the day (or the last before), rounded by the currency. Without a rate there is no result, it is never taken for 1. kind is the kind of rate.',
    },
    examples: [{ expression: "convert('10.00', 'USD', 'USD', '2025-03-01')", result: '10.00' }],
  },
  exchangeRate: {
    group: 'number',
    summary: {
      zh: '某日（或之前最近一日）一单位货币折合另一货币的汇率，供记入单据。',
      en: 'What one unit of a currency is worth in another on the day (or the last before), to be kept in a document.',
    },
    examples: [{ expression: "exchangeRate('USD', 'USD', '2025-03-01')", result: '1' }],
  },
}
