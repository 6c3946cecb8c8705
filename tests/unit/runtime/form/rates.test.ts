import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { planForm } from '../../../../src/headless/form/plan'
import { loadOptionsPart, needsOptions } from '../../../../src/runtime/form/options/load'
import { input } from '../../../../src/runtime/form/view/input'
import { openForm } from '../../../../src/runtime/form/view/open'
import { rightsOf } from '../../../../src/schema/process'
import { fakeHost } from '../../../support/fakeHost'
import { limit, modelOf } from '../../schema/process/world'

const label = { zh: '字段', en: 'Field' }
const RATES: Record<string, string> = { USD: '7.1', EUR: '7.8' }

const converting = () => {
  const process = limit()
  const fields = {
    currency: { type: 'string', format: 'currency', 'x-label': label },
    amount: { type: 'string', format: 'money', 'x-money': 'currency', 'x-label': label },
    inCny: {
      type: 'string',
      format: 'money',
      'x-money': 'CNY',
      'x-label': label,
      value: "{{ amount != null && currency ? convert(amount, currency, 'CNY', today) : null }}",
    },
  } as typeof process.form.fields
  return { ...process, form: { fields } }
}

describe('A form that converts money', () => {
  beforeEach(async () => {
    await loadOptionsPart()
    vi.useFakeTimers()
  })
  afterEach(() => vi.useRealTimers())

  const open = () => {
    const process = converting()
    const model = modelOf(process, rightsOf(process, 'start'))
    const asked: unknown[] = []
    const host = fakeHost({
      answer: ({ path, query }) => {
        if (path !== '/v2/workflow/form/rate') return { facts: {} }
        asked.push(query)
        return { rate: RATES[String(query?.from)] ?? null }
      },
    })
    const scope = { user: {}, query: {}, today: '2026-03-10', locale: 'en' }
    const form = openForm(host, {
      ...{ model, plan: planForm(model.schema), scope, record: null, refs: {}, canEdit: true, given: {} },
    })
    form.engine.attach()
    const fill = async (name: string, value: unknown): Promise<unknown> => {
      const address = Object.keys(form.engine.form.fields).find((one) => one.split('.').at(-1) === name)!
      input(form.engine.dataField(address)!, value)
      await vi.advanceTimersByTimeAsync(300)
      return form.engine.values()['inCny']
    }
    return { form, model, asked, fill }
  }

  it('asks for the rate that its expressions need, once, and fills in the equivalent when it comes', async () => {
    const { model, asked, fill, form } = open()
    expect(needsOptions(model)).toBe(true)
    await fill('currency', 'USD')
    expect(await fill('amount', '100')).toBe('710')
    expect(await fill('amount', '200')).toBe('1420')
    expect(asked).toEqual([{ from: 'USD', to: 'CNY', day: '2026-03-10', kind: 'xe' }])
    expect(await fill('currency', 'EUR')).toBe('1560')
    expect([...form.failures]).toEqual([])
  })

  it('leaves the equivalent empty where no rate says it, and is no fault of the form', async () => {
    const { fill, form } = open()
    await fill('currency', 'USD')
    expect(await fill('amount', '100')).toBe('710')
    expect((await fill('currency', 'GBP')) ?? null).toBeNull()
    expect([...form.failures]).toEqual([])
  })
})
