import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEngine, type FormEngine } from '../../../../src/headless/form/engine'
import { planForm } from '../../../../src/headless/form/plan'
import { validatorOf } from '../../../../src/headless/form/validate'
import { createFacts } from '../../../../src/runtime/form/options/facts'
import { input } from '../../../../src/runtime/form/view/input'
import { RequestError } from '../../../../src/headless/host'
import { rightsOf } from '../../../../src/schema/process'
import { fakeHost, type FakeHost } from '../../../support/fakeHost'
import { limit, modelOf } from '../../schema/process/world'

const PRICES: Record<string, number> = { i1: 300, i2: 50_000, b1: 40, b2: 60 }

interface Asked {
  code: string
  of: string[]
  values: { itemId?: string; lines?: { billId: string }[] }
}

/** What the gateway tells of the records that are named. */
const answer = ({ values: { itemId, lines = [] } }: Asked) => ({
  facts: {
    held: { status: 'open' },
    ...(itemId
      ? {
          'itemId.status': { [itemId]: 'open' },
          'itemId.currency': { [itemId]: 'USD' },
          'itemId.price': { [itemId]: PRICES[itemId] },
        }
      : {}),
    'lines.billId.price': Object.fromEntries(lines.map(({ billId }) => [billId, PRICES[billId]])),
  },
})

const open = (host: FakeHost, { kept = false, values = {} }: { kept?: boolean; values?: Record<string, unknown> } = {}) => {
  const process = limit()
  const model = modelOf(process, rightsOf(process, 'start'), { kept })
  const facts = createFacts(host, model.facts!)
  const engine = createEngine({
    plan: planForm(model.schema),
    schema: model.schema,
    values,
    scope: { user: {}, query: {}, today: '2026-03-10', locale: 'en', record: {}, $facts: facts.known },
    world: {
      locale: 'en',
      timeZone: 'Asia/Shanghai',
      can: () => true,
      dictionaryLabel: () => undefined,
      onFailure: (error) => {
        throw error
      },
    },
    validator: validatorOf('en', 'Asia/Shanghai'),
  })
  engine.attach()
  return { engine, end: facts.follow(engine.form) }
}

const field = (engine: FormEngine, name: string) => {
  const found = Object.values(engine.form.fields).find((one) => String(one.path) === name)
  if (!found || !('value' in found)) throw new Error(`no field ${name}`)
  return engine.dataField(String(found.address))!
}
const choose = async (engine: FormEngine, name: string, value: unknown): Promise<void> => {
  input(field(engine, name), value)
  await vi.advanceTimersByTimeAsync(300)
}

describe('The form of a process while it is filled in', () => {
  let host: FakeHost
  let asked: Asked[]
  let broken = false
  beforeEach(() => {
    vi.useFakeTimers()
    asked = []
    broken = false
    host = fakeHost({
      answer: ({ body }) => {
        asked.push(body as Asked)
        if (broken) throw new RequestError('network', 'No network')
        return answer(body as Asked)
      },
    })
  })
  afterEach(() => vi.useRealTimers())

  it('asks for facts of the records that are chosen, and follows them', async () => {
    const { engine, end } = open(host)
    await vi.advanceTimersByTimeAsync(0)
    await choose(engine, 'itemId', 'i1')
    expect(asked.at(-1)).toMatchObject({ code: 'limit', values: { itemId: 'i1' } })
    expect(asked.at(-1)?.of).toContain('itemId.price')
    expect(engine.values()).toMatchObject({ status: 'open', currency: 'USD', currentLimit: '300' })
    await choose(engine, 'itemId', 'i2')
    expect(engine.values()).toMatchObject({ currentLimit: '50000' })
    end()
  })

  it('suggests until somebody types something else, and never over what was filled in before', async () => {
    const { engine, end } = open(host)
    await choose(engine, 'itemId', 'i1')
    expect(engine.values()).toMatchObject({ applyLimit: '300' })
    await choose(engine, 'applyLimit', '700')
    await choose(engine, 'itemId', 'i2')
    expect(engine.values()).toMatchObject({ applyLimit: '700', currentLimit: '50000' })
    end()
    const again = open(host, { kept: true, values: { itemId: 'i1', applyLimit: '9' } })
    await vi.advanceTimersByTimeAsync(300)
    expect(again.engine.values()).toMatchObject({ applyLimit: '9', currentLimit: '300' })
    again.end()
  })

  it('shows and asks for what its conditions say, taking empty fields for nothing', async () => {
    const { engine, end } = open(host)
    await choose(engine, 'itemId', 'i1')
    expect(field(engine, 'proofFiles').display).toBe('none')
    expect(field(engine, 'reason').required).toBe(false)
    await choose(engine, 'applyLimit', '100000')
    expect(field(engine, 'proofFiles').display).toBe('visible')
    expect(field(engine, 'reason').required).toBe(true)
    end()
  })

  it('has a row for each record of a list, keeps what was typed in it, and reckons it', async () => {
    const { engine, end } = open(host)
    await choose(engine, 'itemId', 'i1')
    await choose(engine, 'billIds', ['b1'])
    const lines = () => engine.values().lines as Record<string, unknown>[]
    expect(lines()).toMatchObject([{ billId: 'b1', open: '40' }])
    engine.form.setValuesIn('lines.0.part', '10')
    await choose(engine, 'billIds', ['b2', 'b1'])
    expect(lines()).toMatchObject([
      { billId: 'b2', open: '60' },
      { billId: 'b1', open: '40', part: '10', due: '4' },
    ])
    expect(engine.values()).toMatchObject({ total: '104' })
    await choose(engine, 'billIds', [])
    expect(lines()).toEqual([])
    end()
  })

  it('asks once for what is typed in one go, and says when the gateway does not answer', async () => {
    const { engine, end } = open(host)
    await vi.advanceTimersByTimeAsync(300)
    const before = asked.length
    input(field(engine, 'itemId'), 'i1')
    await vi.advanceTimersByTimeAsync(100)
    input(field(engine, 'itemId'), 'i2')
    await vi.advanceTimersByTimeAsync(300)
    expect(asked.length).toBe(before + 1)
    broken = true
    await choose(engine, 'itemId', 'b1')
    expect(host.events.join()).toContain('notify warning')
    end()
  })
})
