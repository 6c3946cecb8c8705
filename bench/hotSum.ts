import { createEntityEngine } from '../gateway/entities'
import { migrate, openDatabase } from '../gateway/platform/database'
import { ServiceError, systemContext } from '../gateway/platform/http'
import type { EntityDocument } from '../src/schema/generated/entity'

/**
 * A hot sum under load: `npx tsx bench/hotSum.ts [data folder] [clients] [seconds]`; the method stands in bench/README.md. All clients
 * write entries of one account, until its bound refuses them and beyond; each entry is checked and saved like any other record.
 */
const [dataDir = 'data/bench-hot', clients = '32', seconds = '10'] = process.argv.slice(2)
const BAR = 300
const CREDIT = 500
const logger = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }
const label = (en: string) => ({ 'x-label': { zh: en, en } })
const shared = { formatVersion: 3, type: 'object', 'x-scope': 'public' } as const
const account: EntityDocument = {
  ...shared,
  name: 'bench.account',
  label: { zh: '账户', en: 'Account' },
  titleField: 'id',
  properties: {
    credit: { type: 'string', format: 'money', 'x-money': 'USD', ...label('Credit') },
    balance: {
      type: 'string',
      format: 'money',
      'x-money': 'USD',
      'x-rollup': { of: 'bench.entry.accountId', sum: 'amount', hot: true, atLeast: '{{ 0 - number(credit) }}' },
      ...label('Balance'),
    },
  },
}
const entry: EntityDocument = {
  ...shared,
  name: 'bench.entry',
  label: { zh: '分录', en: 'Entry' },
  titleField: 'id',
  properties: {
    accountId: { type: 'string', 'x-ref': 'bench.account', ...label('Account') },
    amount: { type: 'string', format: 'money', 'x-money': 'USD', ...label('Amount') },
  },
}

const database = await openDatabase({ dataDir, logger, poolSize: Number(clients) + 2 })
const engine = createEntityEngine({ database, entities: [account, entry], dictionary: () => undefined })
await migrate(database, engine.tables({ trigram: false }))
await engine.fillKept()

const save = (entity: string, values: Record<string, unknown>) =>
  engine.transaction(systemContext(), (entities) => entities.save(entity, values))
const { id } = await save('bench.account', { credit: String(CREDIT) })
const until = Date.now() + Number(seconds) * 1000
const times: number[] = []
const tally = { in: 0, out: 0, refused: 0 }

/** Two out, one in: the balance runs into its bound and stays there. */
async function client(): Promise<void> {
  for (let turn = 0; Date.now() < until; turn += 1) {
    const incoming = turn % 3 === 2
    const start = performance.now()
    try {
      await save('bench.entry', { accountId: id, amount: incoming ? '1' : '-1' })
      tally[incoming ? 'in' : 'out'] += 1
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      tally.refused += 1
    }
    times.push(performance.now() - start)
  }
}
await Promise.all(Array.from({ length: Number(clients) }, client))

const percentile = (share: number): string => [...times].sort((a, b) => a - b)[Math.floor(times.length * share)]!.toFixed(1)
const stored = await engine.transaction(systemContext(), (entities) => entities.find('bench.account', String(id)))
const balance = tally.in - tally.out
const rate = (tally.in + tally.out) / Number(seconds)
const exact = Number(stored?.balance) === balance && balance >= -CREDIT
console.log(
  `${clients} clients, one account, ${seconds} s: ${rate.toFixed(0)} changes a second, ${tally.refused} refused by the bound`,
)
console.log(
  `a save: p50 ${percentile(0.5)}, p95 ${percentile(0.95)} ms; balance ${String(stored?.balance)}, bound ${-CREDIT}, ${exact ? 'exact' : 'WRONG'}`,
)
const drifted = (await engine.reconcile()).reduce((sum, field) => sum + field.drifted, 0)
await database.close()
process.exit(exact && drifted === 0 && rate >= BAR ? 0 : 1)
