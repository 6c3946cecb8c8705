import { closePeriod } from '../gateway/modules/fin/bills/books'
import { customerAccount } from '../gateway/modules/fin/facts'
import { verifyLedger } from '../gateway/modules/fin/ledger/verify'
import { systemContext } from '../gateway/platform/http'
import { openBench } from './gatewayWorld'

/**
 * Usage at volume: lines are posted as an import does, in batches of 400, then billed. The method stands in bench/README.md.
 * `npx tsx bench/usage.ts [data folder] [lines] [accounts] [writers]`
 */
const [dataDir = 'data/bench-usage', lines = '100000', accounts = '20', writers = '4'] = process.argv.slice(2)
const [LINES, ACCOUNTS, WRITERS] = [Number(lines), Number(accounts), Number(writers)]
const BATCH = 400
const DAYS = 28
const BAR = 30

const { database, engine } = await openBench(dataDir, WRITERS + 2)
const run = Date.now().toString(36)
const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
const ids = Array.from({ length: ACCOUNTS }, (_, index) => `a-${run}-${index}`)
await database.query('truncate sys_company_entity, sys_exchange_rate')
await engine.transaction(systemContext(), async (entities) => {
  await entities.insertMany('sys.companyEntity', [
    { ...stamp, id: 'hk', code: 'hk', name: '香港', countryCode: 'HK', baseCurrency: 'CNY', enabled: true, sortNo: 0 },
  ])
  await entities.insertMany('sys.exchangeRate', [
    { ...stamp, id: 'usd', base: 'USD', quote: 'CNY', date: '2026-01-01', rate: '7.1', kind: 'xe' },
  ])
  await entities.insertMany(
    'crm.customer',
    ids.map((id) => ({ ...stamp, id: `c-${id}`, code: `CU-${id}`, name: id, nameKey: id, status: 'active' })),
  )
  await entities.insertMany(
    'fin.customerAccount',
    ids.map((id) => ({
      ...{ ...stamp, id, code: id, name: id, customerId: `c-${id}`, product: 'sms', currency: 'USD', payMode: 'postpaid' },
      ...{ status: 'active', companyEntityId: 'hk', timezone: 'Asia/Hong_Kong', termDays: 15, graceDays: 7 },
    })),
  )
})

const COUNTRIES = ['TH', 'VN', 'ID', 'MY', 'PH', 'SG', 'IN', 'BR']
const lineOf = (index: number) => ({
  accountId: ids[index % ACCOUNTS]!,
  day: `2026-03-${String(1 + (Math.floor(index / ACCOUNTS) % DAYS)).padStart(2, '0')}`,
  product: 'sms',
  countryCode: COUNTRIES[index % COUNTRIES.length]!,
  units: 1 + (index % 900),
  price: `0.0${10 + (index % 7)}`,
  reference: `${run}/${index}`,
})
const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

let next = 0
const writer = async (): Promise<void> => {
  for (let from = (next += BATCH) - BATCH; from < LINES; from = (next += BATCH) - BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, LINES - from) }, (_, at) => lineOf(from + at))
    await engine.transaction(systemContext(), (entities) => entities.createMany('fin.usage', batch), { retries: 5 })
  }
}
const posting = await seconds(() => Promise.all(Array.from({ length: WRITERS }, writer)))
const billing = await seconds(async () => {
  for (const id of ids)
    await engine.transaction(systemContext(), async (entities, tx) => {
      const context = systemContext()
      const fin = { tx, context, now: context.now, entities }
      await closePeriod(fin, await customerAccount(fin, id), { from: '2026-03-01', to: '2026-03-31' }, { issue: true })
    })
})
const { rows } = await database.query<{ billed: number; lines: number; differing: number }>(
  `select count(*) filter (where e.bill_id is not null) as billed, (select count(*) from fin_usage where reference like $1) as lines,
     (select count(*) from fin_bill b where b.account_id like $2 and b.usage_amount <> (select sum(u.amount) from fin_usage u where u.account_id = b.account_id)) as differing
   from fin_ledger_entry e where e.account_id like $2 and e.type = 'usage'`,
  [`${run}/%`, `a-${run}-%`],
)
const drifted = (await verifyLedger(database)).filter((drift) => drift.drifted > 0)
const { billed, lines: posted, differing } = rows[0]!
console.log(
  `${Number(posted).toLocaleString('en')} lines on ${ACCOUNTS} accounts, ${WRITERS} writers: posted in ${posting.toFixed(1)} s (${Math.round(LINES / posting).toLocaleString('en')} a second)`,
)
console.log(`billed ${Number(billed).toLocaleString('en')} of them in ${billing.toFixed(1)} s (bar ${BAR})`)
console.log(
  `bills that differ from their usage: ${Number(differing)}; drift of the ledger: ${drifted.map(({ field }) => field).join(', ') || 'none'}`,
)
await database.close()
if (billing > BAR || Number(billed) !== LINES || Number(differing) > 0 || drifted.length > 0) process.exitCode = 1
