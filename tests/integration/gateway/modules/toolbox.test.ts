import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '../../../../gateway/platform/calendar'
import { codes } from '../../../../gateway/platform/http'
import { startGateway, type Caller, type TestGateway } from '../../../support/gateway'

interface Tool {
  columns: { id: string; title: string }[]
  rows: Record<string, string | null>[]
  notes: string[]
  line?: { points: { name: string; value: number }[] }
}

const TOOLS = ['networks', 'numbers', 'addresses', 'words', 'exchangeRate']
const MENUS = ['mcc-mnc', 'number-lookup', 'ip-address', 'sensitive-words', 'exchange-rate'].map((menu) => `toolbox:${menu}`)
const REFUSED = codes.noPermission.code
let test: TestGateway
let user: Caller
let stranger: Caller
let keeper: Caller
// a company that begins empty
beforeAll(async () => {
  test = await startGateway()
  await test.addStaff({ id: 'st-user', jobNumber: 'T1', menus: ['toolbox:toolbox', ...MENUS] })
  await test.addStaff({ id: 'st-none', jobNumber: 'T2', menus: ['toolbox:toolbox'] })
  await test.addStaff({
    ...{ id: 'st-keep', jobNumber: 'T3', menus: ['toolbox:toolbox', ...MENUS, 'setModule:setRate'] },
    keys: ['sys:network:edit', 'biz:word:edit', 'sys:rate:edit'],
  })
  user = await test.signIn('T1')
  stranger = await test.signIn('T2')
  keeper = await test.signIn('T3')
})
afterAll(() => test.close())

const EN = { 'accept-language': 'en' }
const ask = async (tool: string, body: object): Promise<Tool> => {
  const { code, data, msg } = await user.post<Tool>(`/v2/toolbox/${tool}`, body, EN)
  expect(msg).toBeTruthy()
  expect(code).toBe(0)
  return data
}

describe('the tools in a company that begins empty', () => {
  it('answer nobody without their key', async () => {
    for (const tool of TOOLS) {
      const body = tool === 'exchangeRate' ? { from: 'USD', to: 'CNY' } : { text: '46000' }
      expect((await stranger.post(`/v2/toolbox/${tool}`, body)).code, tool).toBe(REFUSED)
    }
    expect((await stranger.post('/v2/biz/sensitiveWord/queryPage', {})).code).toBe(REFUSED)
  })

  it('know networks by pasted codes, with those that the company adds', async () => {
    const added = { mcc: '724', mnc: '005', operator: 'Private 5G', country: 'BR', status: 'planned' }
    expect((await user.post('/v2/sys/operatorNetwork/save', added)).code).toBe(REFUSED)
    expect((await keeper.post('/v2/sys/operatorNetwork/save', added)).code).toBe(0)
    expect((await keeper.post('/v2/sys/operatorNetwork/save', added)).code).not.toBe(0)
    const { rows } = await ask('networks', { text: '72405, 724-005\n99898\n+65' })
    expect(rows[0]).toMatchObject({
      country: 'Brazil',
      mcc: '724',
      mnc: '05',
      brand: 'Claro',
      status: 'Operational',
      callingCode: '+55',
    })
    expect(rows[1]).toMatchObject({ mnc: '005', operator: 'Private 5G', status: 'Planned or in test' })
    expect(rows[2]).toMatchObject({ typed: '99898', tone: 'error' })
    expect(rows.slice(3).every(({ country }) => country === 'Singapore')).toBe(true)
  })

  it('say of numbers what the plans say, and that it is no HLR', async () => {
    const { rows, notes } = await ask('numbers', { text: '13800138000\n+55 11 98765-4321\nabc', country: 'CN' })
    expect(rows[0]).toMatchObject({
      e164: '+8613800138000',
      country: 'China',
      type: 'Mobile',
      operator: 'China Mobile',
      region: 'Beijing',
    })
    expect(rows[0]?.networks).toContain('460-00')
    expect(rows[1]).toMatchObject({ e164: '+5511987654321', country: 'Brazil', operator: 'TIM' })
    expect(rows[2]).toMatchObject({ typed: 'abc', tone: 'error' })
    expect(notes[0]).toContain('not HLR')
  })

  it('say of addresses what can be known, and that no data on their origin is installed', async () => {
    const { rows, notes } = await ask('addresses', { text: '10.1.0.0/16\n8.8.8.8\nnonsense' })
    expect(rows.map(({ range }) => range)).toEqual(['Private (RFC 1918)', 'Public', 'Neither address, range nor domain'])
    expect(notes.join(' ')).toMatch(/Your address: .*No data on the origin/)
  })

  it('convert with the rates that finance keeps', async () => {
    const today = dayOf(new Date(), 'Asia/Shanghai')
    expect((await ask('exchangeRate', { from: 'USD', to: 'CNY' })).rows.map(({ rate }) => rate)).toEqual(
      Array(3).fill('There is none'),
    )
    for (const [kind, date, rate] of [
      ['manual', `${today.slice(0, 8)}01`, '7'],
      ['performance', `${today.slice(0, 8)}01`, '7.2'],
    ])
      expect((await keeper.post('/v2/sys/exchangeRate/save', { base: 'USD', quote: 'CNY', kind, date, rate })).code).toBe(0)
    const { rows } = await ask('exchangeRate', { from: 'USD', to: 'CNY', amount: '100.5' })
    expect(rows.at(-1)).toMatchObject({ rate: '7.2', converted: '723.60 CNY', date: `${today.slice(0, 8)}01` })
  })

  it('find words in use however they are written, and refuse one that cannot be matched in linear time', async () => {
    const word = { category: 'gambling', level: 'high', action: 'reject', matchType: 'contains' }
    expect((await user.post('/v2/biz/sensitiveWord/save', { ...word, word: 'casino' })).code).toBe(REFUSED)
    expect((await keeper.post('/v2/biz/sensitiveWord/save', { ...word, word: 'casino' })).code).toBe(0)
    const refused = await keeper.post('/v2/biz/sensitiveWord/save', { ...word, word: '(?=a)b', matchType: 'regex' }, EN)
    expect(refused.text).toContain('without look-around')
    const { rows, notes } = await ask('words', { text: 'Play ＣＡＳＩＮＯ today' })
    expect(rows).toMatchObject([{ found: 'ＣＡＳＩＮＯ', place: '6–11', word: 'casino', action: 'Reject' }])
    expect(notes[0]).toContain('strictest action is Reject')
  })
})
