import type { EntityRecord, Verb } from '../../entities'
import { picked } from './applications'

const RATE = 'qm.supplierRate'
const ALL = 20_000
const COPIED = [
  ...['channel', 'product', 'rateKey', 'country', 'mccmnc', 'prefix', 'destination', 'routeClass', 'numberType', 'waCategory'],
  ...['unit', 'price', 'oldPrice', 'setupFee', 'monthlyFee', 'incFirst', 'incNext', 'billingMode', 'currency', 'effectiveTo'],
  ...['changeFlag', 'sheetId', 'source', 'testResult', 'validUntil', 'remark'],
] as const

/**
 * `qm.moveRates`: what an account at a supplier costs holds for another account from now on (`fromAccountId`, `toAccountId`, `toSupplierId`), with `copy`; the rates
 * of the old account end at the same moment, so that what was sent before is rated by them (customers-suppliers 5).
 */
export const moveRates: Verb = async ({ entities, now }, runs) => {
  for (const { with: given } of runs) {
    const where = [
      { field: 'supplierAccountId', operator: 'eq' as const, value: String(given.fromAccountId) },
      { field: 'status', operator: 'in' as const, value: ['pending', 'held', 'active'] },
    ]
    const rates = await entities.list(RATE, { where, limit: ALL, lock: true })
    const active = rates.filter(({ status }) => status === 'active')
    const waiting = rates.filter(({ status }) => status !== 'active')
    const at = now.toISOString()
    await entities.changeMany(RATE, new Map(active.map(({ id }) => [String(id), { effectiveTo: at }])))
    await taken(entities.transitions(RATE, idsOf(active), 'expire'))
    await taken(entities.transitions(RATE, idsOf(waiting), 'cancel'))
    if (given.rateMode !== 'copy') continue
    const from = (rate: EntityRecord): string => (rate.status === 'active' ? at : later(String(rate.effectiveFrom), at))
    const owner = { supplierId: given.toSupplierId, supplierAccountId: given.toAccountId }
    const copies = await entities.createMany(
      RATE,
      rates.map((rate) => ({ ...picked(rate, COPIED), ...owner, effectiveFrom: from(rate) })),
    )
    await taken(entities.transitions(RATE, idsOf(copies), 'accept', ({ effectiveFrom }) => ({ effectiveFrom })))
    const begun = copies.filter(({ effectiveFrom }) => String(effectiveFrom) <= at)
    await taken(entities.transitions(RATE, idsOf(begun), 'begin'))
  }
}

const idsOf = (rates: readonly EntityRecord[]): string[] => rates.map(({ id }) => String(id))
const later = (a: string, b: string): string => (Date.parse(a) > Date.parse(b) ? a : b)

async function taken(refusals: Promise<ReadonlyMap<string, Error>>): Promise<void> {
  for (const refusal of (await refusals).values()) throw refusal
}
