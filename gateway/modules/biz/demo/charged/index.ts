import type { DemoRecord, DemoWorld } from '../../../../demo'
import type { Entities } from '../../../../entities'
import { instantAt } from '../../../../platform/calendar'
import type { Executor } from '../../../../platform/database'
import { chargedNumbers, makeFees } from '../../numbers/make'
import { chargedAccounts, trafficDays, type TrafficDays } from './accounts'
import { chargedRates } from './rates'
import { chargedRecords, chargedTries } from './records'

/**
 * Customers whose traffic runs over this platform since last month: accounts of their own, prices and costs, and records of each kind that were rated when they came in.
 * What they come to is posted when the world stands (`settled`), and billed with last month.
 */
export async function fillCharged(world: DemoWorld, entities: Entities, tx: Executor): Promise<void> {
  if (!entities.has('qm.customerRate') || !entities.has('fin.customerAccount')) return
  const { rows } = world
  const when = trafficDays(world)
  const accounts = chargedAccounts(world, when)
  const own = Object.values(accounts).flat()
  if (own.length === 0) return
  const { prices, costs, carriers } = chargedRates(world, accounts, when)
  if (carriers.size === 0) return
  const add = async (entity: string, made: readonly DemoRecord[]): Promise<void> => {
    rows[entity] = [...(rows[entity] ?? []), ...made]
    if (made.length > 0) await entities.insertMany(entity, made)
  }
  await add('fin.customerAccount', own)
  await add('qm.customerRate', prices)
  await add('qm.supplierRate', costs)
  const numbers = rentedNumbers(world, accounts.number, when)
  await add('biz.numberAsset', numbers)
  await makeFees(
    tx,
    await chargedNumbers(
      tx,
      numbers.map(({ id }) => id),
    ),
    world.now,
  )
  const records = chargedRecords(world, accounts, { ...when, carriers })
  for (const [entity, made] of Object.entries(records)) if (made.length > 0) await entities.createMany(entity, made)
  const tries = chargedTries(records['biz.smsRecord'] ?? [])
  if (tries.length > 0) await entities.createMany('biz.smsAttempt', tries)
}

/** Prices of a rented number, and what its supplier takes, in USD. */
const NUMBER = { mrc: '12', nrc: '5', costMrc: '8', costNrc: '2' }

/** A number for each account of numbers, since the first day of the traffic. */
function rentedNumbers(
  { rows, timeZone }: DemoWorld,
  accounts: readonly DemoRecord[],
  { days, since }: TrafficDays,
): DemoRecord[] {
  const [supplier] = (rows['srm.supplierAccount'] ?? []).filter(
    ({ currency, status }) => currency === 'USD' && status === 'active',
  )
  if (!supplier) return []
  return accounts.map((account, index) => ({
    ...{
      id: `nu-${account.id}`,
      number: `+8522155${String(100 + index).padStart(4, '0')}`,
      country: 'HK',
      numberType: 'national',
    },
    ...{ capabilities: ['voice'], docs: [], remark: null, status: 'assigned', ...NUMBER, currency: account.currency },
    ...{ supplierAccountId: supplier.id, supplierId: supplier.supplierId, costCurrency: supplier.currency },
    ...{
      accountId: account.id,
      customerId: account.customerId,
      activatedAt: instantAt(days[0]!, '08:00', timeZone).toISOString(),
    },
    ...{ feesFrom: null, releasedAt: null, quarantineUntil: null, createdAt: since, createdBy: '' },
  }))
}
