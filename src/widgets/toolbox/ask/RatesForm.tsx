import { Button, Flex, Input } from 'antd'
import { useId, useState } from 'react'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { CURRENCY_CODES } from '../../../schema/formats'
import { toolTexts } from '../texts'

/** What the company settles in most, first. */
const COMMON = ['CNY', 'USD', 'EUR', 'HKD', 'SGD', 'GBP', 'JPY']
const OPTIONS = [...COMMON, ...[...CURRENCY_CODES].filter((code) => !COMMON.includes(code)).sort()].map((code) => ({
  value: code,
  label: code,
}))
const AMOUNT = /^[0-9]{1,15}(\.[0-9]{1,8})?$/

/** Two currencies, a day (empty: today) and an amount. */
export const RatesForm = ({ onAsk }: { onAsk: (body: Record<string, string | null>) => void }) => {
  const texts = toolTexts[useHost().locale]
  const id = useId()
  const [asked, setAsked] = useState({ from: 'USD', to: 'CNY', date: '', amount: '100' })
  const amount = asked.amount.replaceAll(',', '').trim()
  const faulty = amount !== '' && !AMOUNT.test(amount)
  const currency = (name: 'from' | 'to') => (
    <div>
      <label htmlFor={`${id}-${name}`}>{texts[name]}</label>
      <br />
      <SearchSelect
        id={`${id}-${name}`}
        value={asked[name]}
        onChange={(next: unknown) => setAsked({ ...asked, [name]: String(next) })}
        options={OPTIONS}
        style={{ width: 120 }}
      />
    </div>
  )
  return (
    <Flex gap={12} wrap align="end">
      {currency('from')}
      {currency('to')}
      <div>
        <label htmlFor={`${id}-date`}>{texts.date}</label>
        <br />
        <Input
          id={`${id}-date`}
          type="date"
          value={asked.date}
          style={{ width: 160 }}
          onChange={(event) => setAsked({ ...asked, date: event.target.value })}
        />
      </div>
      <div>
        <label htmlFor={`${id}-amount`}>{texts.amount}</label>
        <br />
        <Input
          id={`${id}-amount`}
          inputMode="decimal"
          value={asked.amount}
          placeholder={texts.optional}
          status={faulty ? 'error' : ''}
          style={{ width: 160 }}
          onChange={(event) => setAsked({ ...asked, amount: event.target.value })}
        />
      </div>
      <Button
        type="primary"
        disabled={faulty || asked.from === asked.to}
        onClick={() => onAsk({ from: asked.from, to: asked.to, date: asked.date || null, amount: amount || null })}
      >
        {texts.look}
      </Button>
    </Flex>
  )
}
