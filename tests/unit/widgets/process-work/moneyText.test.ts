import { expect, it } from 'vitest'
import { moneyText } from '../../../../src/widgets/process-work/parts/moneyText'

it('writes an amount as everywhere else: its currency behind it, with the decimals of that', () => {
  expect([moneyText('3000', 'CNY', 'zh'), moneyText('3000', 'CNY', 'en'), moneyText('3000', 'JPY', 'zh')]).toEqual([
    '3,000.00 CNY',
    '3,000.00 CNY',
    '3,000 JPY',
  ])
})
