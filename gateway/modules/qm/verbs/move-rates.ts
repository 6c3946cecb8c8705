import type { EntityRecord, HookContext, RecordOf } from '../../../entities'
import type { ModuleVerb } from '../../module'
import { picked, whose } from '../applications'

const RATE = 'qm.supplierRate'
const ALL = 20_000
const COPIED = [
  ...['product', 'rateKey', 'country', 'mccmnc', 'prefix', 'destination', 'routeClass', 'numberType', 'waCategory'],
  ...['fromVolume', 'numberCaps', 'aiModel', 'aiPrice', 'graceSec'],
  ...['unit', 'price', 'oldPrice', 'setupFee', 'monthlyFee', 'incFirst', 'incNext', 'billingMode', 'currency', 'effectiveTo'],
  ...['changeFlag', 'sheetId', 'source', 'testResult', 'validUntil', 'remark'],
] as const

/**
 * `qm.moveRates`: what an account at a supplier costs holds for another account from now on (`fromAccountId`, `toAccountId`, `toSupplierId`), with `copy`; the rates
 * of the old account end at the same moment, so that what was sent before is rated by them (customers-suppliers 5). Channels and gateways stay with the
 * account that they were bought on: what one of them cost waits as an offer
 * at the new account, where somebody who takes it makes it the cost of the whole account.
 */
export const verb: ModuleVerb = async (hook, runs) => {
  const { entities, now } = hook
  for (const { with: given } of runs) {
    const where = [
      { field: 'supplierAccountId', operator: 'eq' as const, value: String(given.fromAccountId) },
      { field: 'status', operator: 'in' as const, value: ['pending', 'held', 'active'] },
    ]
    const rates = await entities.list(RATE, { where, limit: ALL, lock: true })
    const active = rates.filter(({ status }) => status === 'active')
    const waiting = rates.filter(({ status }) => status !== 'active')
    const at = now.toISOString()
    await entities.changeMany(RATE, new Map(active.map(({ id }) => [id, { effectiveTo: at }])))
    await taken(entities.transitions(RATE, idsOf(active), 'expire'))
    await taken(entities.transitions(RATE, idsOf(waiting), 'cancel'))
    if (given.rateMode !== 'copy') continue
    const from = (rate: RecordOf<'qm.supplierRate'>): string => (rate.status === 'active' ? at : later(rate.effectiveFrom, at))
    const owner = { supplierId: given.toSupplierId, supplierAccountId: given.toAccountId }
    const copy = (rate: RecordOf<'qm.supplierRate'>): EntityRecord => ({
      ...{ ...picked(rate, COPIED), ...owner, effectiveFrom: from(rate) },
      // an opening cost would begin by itself
      ...(rate.source === 'opening' ? { source: 'import' } : {}),
    })
    const copies = await entities.createMany(RATE, rates.filter((rate) => !routeOf(rate)).map(copy))
    const names = await routeNames(hook, rates)
    const offers = rates.flatMap((rate) => {
      const route = routeOf(rate)
      return route
        ? [{ ...copy(rate), remark: `原通道 / of the channel ${names.get(route) ?? route}`, changeFlag: 'unchanged' }]
        : []
    })
    await entities.createMany(RATE, offers)
    await taken(entities.transitions(RATE, idsOf(copies), 'accept', ({ effectiveFrom }) => ({ effectiveFrom })))
    const begun = copies.filter(({ effectiveFrom }) => effectiveFrom <= at)
    await taken(entities.transitions(RATE, idsOf(begun), 'begin'))
  }
}

const routeOf = ({ channelId, gatewayId }: RecordOf<'qm.supplierRate'>): string => channelId ?? gatewayId ?? ''

/** The codes of channels and gateways by their id. */
async function routeNames(
  hook: HookContext,
  rates: readonly RecordOf<'qm.supplierRate'>[],
): Promise<ReadonlyMap<string, string>> {
  const named = (field: 'channelId' | 'gatewayId'): string[] => rates.flatMap(({ [field]: id }) => (id === null ? [] : [id]))
  const routes = [
    ...(await whose(hook, 'biz.channel', 'id', named('channelId'))),
    ...(await whose(hook, 'biz.gateway', 'id', named('gatewayId'))),
  ]
  return new Map(routes.map(({ id, code }) => [String(id), String(code)]))
}

const idsOf = (rates: readonly RecordOf<'qm.supplierRate'>[]): string[] => rates.map(({ id }) => id)
const later = (a: string, b: string): string => (Date.parse(a) > Date.parse(b) ? a : b)

async function taken(refusals: Promise<ReadonlyMap<string, Error>>): Promise<void> {
  for (const refusal of (await refusals).values()) throw refusal
}
