import type { DocumentedFunctions } from './documented'

const amounts = { rows: [{ amount: '0.10' }, { amount: '0.20' }, { amount: null }] }

export const NUMBER_DOCUMENTATION: DocumentedFunctions = {
  add: {
    group: 'number',
    summary: { zh: '精确相加。', en: 'Exact sum.' },
    examples: [
      { expression: "add('0.1', '0.2')", result: '0.3' },
      { expression: 'add(0.1, 0.2)', result: 0.3 },
    ],
  },
  sub: {
    group: 'number',
    summary: { zh: '精确相减。', en: 'Exact difference.' },
    examples: [{ expression: "sub('1.00', '0.9')", result: '0.1' }],
  },
  mul: {
    group: 'number',
    summary: { zh: '精确相乘。', en: 'Exact product.' },
    examples: [{ expression: "mul('0.035', quantity)", scope: { quantity: 1000 }, result: '35' }],
  },
  div: {
    group: 'number',
    summary: {
      zh: '相除，四舍五入到指定小数位；除数为 0 时为 null。',
      en: 'Quotient, rounded half up to the decimals given; null when the divisor is 0.',
    },
    examples: [
      { expression: "div('2', 3, 4)", result: '0.6667' },
      { expression: 'div(1, 0)', result: null },
    ],
  },
  round: {
    group: 'number',
    summary: { zh: '四舍五入；文本数字保留指定的小数位。', en: 'Rounds half up; decimal text keeps exactly that many decimals.' },
    examples: [
      { expression: "round('1.005', 2)", result: '1.01' },
      { expression: 'round(-2.5)', result: -3 },
    ],
  },
  roundEven: {
    group: 'number',
    summary: {
      zh: '四舍六入五成双（银行家舍入）；文本数字保留指定的小数位。',
      en: "Rounds a half to the even digit (bankers' rounding); decimal text keeps exactly that many decimals.",
    },
    examples: [
      { expression: "roundEven('2.125', 2)", result: '2.12' },
      { expression: 'roundEven(3.5)', result: 4 },
    ],
  },
  floor: {
    group: 'number',
    summary: { zh: '向下取整。', en: 'Rounds down.' },
    examples: [{ expression: 'floor(-1.2)', result: -2 }],
  },
  ceil: {
    group: 'number',
    summary: { zh: '向上取整。', en: 'Rounds up.' },
    examples: [{ expression: 'ceil(1.21, 1)', result: 1.3 }],
  },
  abs: {
    group: 'number',
    summary: { zh: '绝对值。', en: 'Without its sign.' },
    examples: [{ expression: "abs('-1.50')", result: '1.5' }],
  },
  pow: {
    group: 'number',
    summary: {
      zh: '乘方，也可开方（指数 0.5）；四舍五入到指定小数位，空值为 null。',
      en: 'To the power of an exponent, also roots (0.5), rounded half up to the decimals given; null for nothing.',
    },
    examples: [
      { expression: "pow('1.05', 3)", result: '1.157625' },
      { expression: 'pow(2, 0.5, 4)', result: 1.4142 },
      { expression: 'pow(null, 2)', result: null },
    ],
  },
  sum: {
    group: 'number',
    summary: {
      zh: '精确求和，空值不计；也可写出每一项取什么。没有内容时为 0。',
      en: 'Exact sum of a list, or of what is made of each item; nothing left out, 0 for an empty list.',
    },
    examples: [
      { expression: 'sum(rows.amount)', scope: amounts, result: '0.3' },
      {
        expression: 'sum(rows, r => r.quantity * r.price)',
        scope: {
          rows: [
            { quantity: 3, price: '0.10' },
            { quantity: 1, price: '0.20' },
          ],
        },
        result: 0.5,
      },
      { expression: 'sum([])', result: 0 },
    ],
  },
  avg: {
    group: 'number',
    summary: { zh: '平均值，空值不计；空列表为 null。', en: 'Mean of what is there; null for an empty list.' },
    examples: [{ expression: 'avg([1, 2, null])', result: 1.5 }],
  },
  min: {
    group: 'number',
    summary: {
      zh: '最小的项（数字按大小，日期和文本按字符），也可直接写几个值；都为空时为 null。',
      en: 'The smallest item of a list, or of several values (numbers by size, dates and texts by character); null where all is empty.',
    },
    examples: [
      { expression: "min(['10', '9'])", result: '9' },
      { expression: 'min(quantity, 100)', scope: { quantity: 120 }, result: 100 },
    ],
  },
  max: {
    group: 'number',
    summary: {
      zh: '最大的项，也可直接写几个值；都为空时为 null。',
      en: 'The largest item of a list, or of several values; null where all is empty.',
    },
    examples: [{ expression: "max(['2025-01-31', '2025-02-01'])", result: '2025-02-01' }],
  },
  count: {
    group: 'number',
    summary: { zh: '非空的项数。', en: 'How many items are not empty.' },
    examples: [
      { expression: "count([1, null, ''])", result: 1 },
      { expression: 'count(rows, r => r.amount)', scope: amounts, result: 2 },
    ],
  },
  compare: {
    group: 'number',
    summary: {
      zh: '比较大小：-1、0 或 1。金额是文本，用它比较而不用“<”。',
      en: '-1, 0 or 1. Amounts are texts: compare them with this and not with "<".',
    },
    examples: [
      { expression: "compare('9.5', '10') < 0", result: true },
      { expression: "compare('1.0', 1)", result: 0 },
    ],
  },
  number: {
    group: 'number',
    summary: { zh: '转为数字；不是数字则为 null。', en: 'As a number; null when it is none.' },
    examples: [
      { expression: "number('12.50')", result: 12.5 },
      { expression: "number('')", result: null },
    ],
  },
  capitals: {
    group: 'number',
    summary: {
      zh: '人民币大写金额，四舍五入到分；空值为空文本。',
      en: 'An amount in Chinese capitals, as on cheques and contracts, rounded half up to two decimals; an empty text for nothing.',
    },
    examples: [
      { expression: "capitals('107000.53')", result: '壹拾万柒仟元伍角叁分' },
      { expression: 'capitals(1000.05)', result: '壹仟元零伍分' },
      { expression: 'capitals(-20)', result: '负贰拾元整' },
    ],
  },
}
