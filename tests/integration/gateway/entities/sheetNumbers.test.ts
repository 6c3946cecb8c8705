import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../../gateway/platform/http'
import { startGateway, type Caller, type TestGateway } from '../../../support/gateway'

interface Preview {
  importId: string
  total: number
  errors: { row: number; column: string | null; value: string | null; message: string }[]
  sample: Record<string, unknown>[]
}

let test: TestGateway
let clerk: Caller

beforeAll(async () => {
  test = await startGateway()
  const keys = ['biz:promoter:view', 'biz:promoter:edit', 'crm:agent:viewCommission', 'biz:device:view', 'biz:device:edit']
  await test.addStaff({
    id: 'clerk',
    jobNumber: 'C1',
    keys: [...keys, 'biz:content:view', 'fin:usage:enter', 'fin:ledger:view'],
    scopes: { '*': ['all'] },
  })
  clerk = await test.signIn('C1')
  const device = { kind: 'goip', ports: 8, country: 'PH', status: 'online' }
  const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
  await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
    entities.insertMany('biz.device', [
      { ...stamp, ...device, id: 'dv-1', sn: 'SN26009999' },
      { ...stamp, ...device, id: 'dv-2', sn: 'SN26001000' },
    ]),
  )
})
afterAll(() => test.close())

const upload = async (path: string, file: string): Promise<Preview> => {
  const form = new FormData()
  form.append('file', new Blob([await readFile(new URL(`../../../fixtures/sheets/${file}`, import.meta.url))]), file)
  const answer = await clerk.raw('POST', `${path}/import/preview`, {
    method: 'POST',
    body: form,
    headers: { 'accept-language': 'en' },
  })
  const { data, msg } = (await answer.json()) as { data: Preview | null; msg: string }
  if (!data) throw new Error(msg)
  return data
}
const cells = ({ errors }: Preview, column: string): (number | string | null)[][] =>
  errors.filter((error) => error.column === column).map(({ row, value, message }) => [row, value, message])
const LOST = expect.stringContaining('keeps 15 digits') as string

it('stores a percentage as the sheet shows it', async () => {
  const seen = await upload('/v2/biz/starPromoter', 'percent-cell-promoter.xlsx')
  expect(seen.errors).toEqual([])
  const done = await clerk.post<{ created: number }>('/v2/biz/starPromoter/import/commit', {
    importId: seen.importId,
    skipFaulty: false,
  })
  expect(done.data.created).toBe(2)
  const { rows } = await test.gateway.database.query<{ number: string; rate: string }>(
    `select job_number as number, commission_rate::float8::text as rate from biz_star_promoter order by 1`,
  )
  expect(rows).toEqual([
    { number: 'ZX864', rate: '12.5' },
    { number: 'ZY864', rate: '12.5' },
  ])
})

it('refuses the cells of codes that may have lost digits, and takes the zeros that a format shows', async () => {
  const ports = await upload('/v2/biz/devicePort', 'ports-iccid-as-number.xlsx')
  expect(cells(ports, 'F')).toEqual([
    [2, '8.98600123456789E+18', LOST],
    [3, '8.98600123456789E+18', LOST],
    [4, '8.98600123456789E+18', LOST],
    [6, '8.98600123456789E+19', LOST],
  ])
  expect(ports.sample[3]).toMatchObject({ imei: '490154203237518', iccid: '89860012345678901234', imsi: '046000123456789' })
  const usage = await upload('/v2/fin/usage', 'usage-long-number.xlsx')
  expect(cells(usage, 'I')).toEqual([
    [2, '1.2345678901234567E+19', LOST],
    [3, '1.2345678901234567E+19', LOST],
  ])
  expect(usage.sample[0]).toMatchObject({ prefix: '00086', subAccount: '00123', units: 1 })
})

it('gives a number that lost its sign its sign back, and never the country of its row', async () => {
  const seen = await upload('/v2/biz/devicePort', 'phone-without-plus.xlsx')
  expect(cells(seen, 'C')).toEqual([])
  expect(seen.sample.map(({ number }) => number)).toEqual(['+447911123456', '+447911123456', '+639171234567'])
})

it('offers templates whose columns keep what is typed: text, days, percentages', async () => {
  const file = await clerk.raw('GET', '/v2/biz/starPromoter/import/template', { headers: { 'accept-language': 'en' } })
  const { unzipSync, strFromU8 } = await import('fflate')
  const parts = unzipSync(new Uint8Array(await file.arrayBuffer()))
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!)
  const styles = strFromU8(parts['xl/styles.xml']!)
  const codes = [...styles.matchAll(/formatCode="([^"]*)"/g)].map(([, code]) => code)
  const columns = [...sheet.matchAll(/<col [^>]*?(?: style="(\d+)")? customWidth/g)].map(([, style]) => codes[Number(style) - 2])
  const titles = [...(/<row r="1">.*?<\/row>/s.exec(sheet)?.[0] ?? '').matchAll(/<t[^>]*>([^<]*)</g)].map(([, title]) => title!)
  const formatOf = (title: string) => columns[titles.indexOf(title)]
  expect([formatOf('Job number *'), formatOf('Commission % *'), formatOf('Joined *')]).toEqual(['@', '0.00##%', 'yyyy-mm-dd'])
  expect(sheet).toContain('<dataValidation ')
})
