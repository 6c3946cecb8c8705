import { expect, test } from 'vitest'
import { valueText } from '../../../../gateway/workflow/flow/reasons'
import type { FormatContext, FormatField } from '../../../../src/schema/formats'
import type { FormField } from '../../../../src/schema/generated/process'

const context = (locale: 'zh' | 'en'): FormatContext => ({
  locale,
  timeZone: 'Asia/Shanghai',
  record: { currency: 'EUR' },
  dictionary: () => [{ code: 'receipt', label: { zh: '到账充值', en: 'Paid in' } }],
  refTitle: (_entity, id) => (id === 'c1' ? 'Acme' : undefined),
})

const CASES: readonly (readonly [
  name: string,
  field: FormatField & Pick<FormField, 'rows'>,
  value: unknown,
  zh: string,
  en: string,
])[] = [
  ['a code by its label', { type: 'string', 'x-dictionary': 'rechargeKind' }, 'receipt', '到账充值', 'Paid in'],
  [
    'codes by their labels',
    { type: 'array', items: { type: 'string' }, 'x-dictionary': 'rechargeKind' },
    ['receipt'],
    '到账充值',
    'Paid in',
  ],
  ['a record by its title', { type: 'string', 'x-ref': 'crm.customer' }, 'c1', 'Acme', 'Acme'],
  [
    'an amount with the currency of its field',
    { type: 'string', format: 'money', 'x-money': 'currency' },
    '12000.5',
    '12,000.50 EUR',
    '12,000.50 EUR',
  ],
  ['an amount in CNY', { type: 'string', format: 'money', 'x-money': 'CNY' }, '800000', '800,000.00 CNY', '800,000.00 CNY'],
  ['a share', { type: 'string', format: 'percent' }, '12.5', '12.5%', '12.5%'],
  ['yes and no', { type: 'boolean' }, true, '是', 'Yes'],
  ['a no that was given', { type: 'boolean' }, false, '否', 'No'],
  ['a number', { type: 'integer' }, 1500, '1,500', '1,500'],
  ['a day', { type: 'string', format: 'date' }, '2026-07-01', '2026-07-01', '2026-07-01'],
  ['a text as it is', { type: 'string' }, 'Tokyo', 'Tokyo', 'Tokyo'],
  ['rows by their number', { type: 'array', rows: { fields: {} } }, [{}, {}], '2 行', '2 rows'],
  ['nothing as empty', { type: 'string', format: 'money', 'x-money': 'CNY' }, null, '空', 'empty'],
  ['an empty list as empty', { type: 'array', items: { type: 'string' } }, [], '空', 'empty'],
]

test.each(CASES)('why a branch was taken says %s', (_name, field, value, zh, en) => {
  expect([valueText(field, value, context('zh')), valueText(field, value, context('en'))]).toEqual([zh, en])
})
