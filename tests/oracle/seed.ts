import { rateKeyOf } from '../../gateway/modules/biz/rating/rateKey'
import { systemContext } from '../../gateway/platform/http'
import type { EntityRecord } from '../../gateway/entities'
import type { TestGateway } from '../support/gateway'
import { plusDays } from './calendar'
import { BEGIN, COMPANY } from './company'
import type { Rate } from './model'

const stamp = { createdAt: '2026-09-01T00:00:00.000Z', createdBy: null }
const CLASS = { sms: 'direct', voice: 'cli' } as Record<string, string | undefined>

/** Ids are the codes of the play. */
export const entityId = (code: string): string => `entity-${code.toLowerCase()}`
export const customerId = (name: string): string => `customer-${name.toLowerCase()}`
export const customerOf = (account: string): string =>
  customerId([...COMPANY.accounts, ...COMPANY.mains].find((one) => one.code === account)?.customer ?? '')

/** What is there before the first act: entities, banks, rates, cycles, parties, their accounts, routes and prices. */
export async function seed({ gateway: { engine, database }, clock }: TestGateway): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  )
  const columns = new Set(rows.map(({ name }) => name))
  /** Leaves out what an entity does not have yet. */
  const known = (table: string, values: EntityRecord): EntityRecord =>
    Object.fromEntries(
      Object.entries(values).filter(([name]) =>
        columns.has(`${table}.${name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)}`),
      ),
    )
  const { entities: codes, banks, customers, mains, accounts, suppliers, routes, rates, cycles } = COMPANY
  await engine.transaction(systemContext({ now: clock.now() }), async (entities) => {
    await entities.insertMany(
      'sys.companyEntity',
      codes.map((code, sortNo) => ({
        ...stamp,
        ...{ id: entityId(code), code, name: code, countryCode: code, baseCurrency: 'CNY', enabled: true, sortNo },
      })),
    )
    await entities.insertMany(
      'sys.bankAccount',
      banks.map(({ code, entity, currency }) => ({
        ...stamp,
        id: code,
        code,
        name: code,
        companyEntityId: entityId(entity),
        currency,
        enabled: true,
      })),
    )
    await entities.insertMany('sys.exchangeRate', exchangeRates())
    await entities.insertMany(
      'fin.billCycle',
      Object.entries(cycles).map(([kind, { termDays, waitHours }]) => ({
        ...{ ...stamp, id: kind, code: kind, name: kind, kind, startDay: 1, termDays, dlrWaitHours: waitHours, graceDays: 7 },
        ...{ autoIssue: true, enabled: true },
      })),
    )
    await entities.insertMany(
      'crm.customer',
      customers.map((name) => ({
        ...stamp,
        id: customerId(name),
        code: name,
        name,
        nameKey: name.toLowerCase(),
        status: 'active',
      })),
    )
    await entities.insertMany(
      'fin.customerAccount',
      accounts.map(({ code, customer, entity, product, currency, zone, mode, cycle, tax }) => ({
        ...{
          ...stamp,
          id: code,
          code,
          name: code,
          customerId: customerId(customer),
          product,
          currency,
          payMode: mode,
          status: 'active',
        },
        ...{ companyEntityId: entityId(entity), timezone: zone, taxRate: tax ?? null, graceDays: 7 },
        ...(cycle ? { billCycleId: cycle, cycleFrom: BEGIN.slice(0, 10), termDays: cycles[cycle].termDays } : {}),
      })),
    )
    await entities.insertMany(
      'fin.mainAccount',
      mains.map(({ code, customer, currency, entity }) => ({
        ...{ ...stamp, id: code, code, customerId: customerId(customer), currency, companyEntityId: entityId(entity) },
      })),
    )
    await entities.insertMany(
      'srm.supplier',
      suppliers.map(({ code }) => ({ ...stamp, id: `supplier-${code}`, code, name: code, nameKey: code.toLowerCase() })),
    )
    await entities.insertMany(
      'srm.supplierAccount',
      suppliers.map(({ code, kind, currency, zone, entity }) => ({
        ...{
          ...stamp,
          id: code,
          code,
          name: code,
          supplierId: `supplier-${code}`,
          kind,
          currency,
          payMode: 'prepaid',
          status: 'active',
          balance: '0',
        },
        ...known('srm_supplier_account', { timezone: zone, companyEntityId: entityId(entity) }),
      })),
    )
    const channels = routes.filter(({ kind }) => kind === 'channel')
    await entities.insertMany(
      'biz.channel',
      channels.map(({ code, supplier, mode }) => ({
        ...{
          ...stamp,
          id: code,
          code,
          alias: code,
          name: code,
          supplierAccountId: supplier,
          supplierId: `supplier-${supplier}`,
          connect: 'smpp',
        },
        ...{ routeClass: 'direct', billingMode: mode, status: 'online' },
      })),
    )
    await entities.insertMany(
      'biz.gateway',
      routes
        .filter(({ kind }) => kind === 'gateway')
        .map(({ code, supplier }) => ({
          ...{
            ...stamp,
            id: code,
            code,
            name: code,
            kind: 'vosLanding',
            supplierAccountId: supplier,
            supplierId: `supplier-${supplier}`,
          },
          ...{ status: 'enabled', lockType: 'none' },
        })),
    )
    const isCustomer = ({ party }: Rate): boolean => accounts.some(({ code }) => code === party)
    await entities.insertMany(
      'qm.customerRate',
      rates.flatMap((rate, index) =>
        isCustomer(rate) ? [{ ...rateRow(rate, index), accountId: rate.party, customerId: customerOf(rate.party) }] : [],
      ),
    )
    await entities.insertMany(
      'qm.supplierRate',
      rates.flatMap((rate, index) => {
        if (isCustomer(rate)) return []
        const channel = channels.some(({ code }) => code === rate.route)
        const route = {
          channelId: channel ? rate.route : null,
          gatewayId: channel ? null : (rate.route ?? null),
          channel: rate.route ?? null,
        }
        return [
          {
            ...rateRow(rate, index),
            ...{ supplierAccountId: rate.party, supplierId: `supplier-${rate.party}` },
            ...known('qm_supplier_rate', route),
          },
        ]
      }),
    )
  })
}

function rateRow(rate: Rate, index: number): EntityRecord {
  const { party, product, country, network, prefix, category, price, setupFee, increments, mode, from, route } = rate
  const same = (other: Rate): boolean =>
    [other.party, other.product, other.country, other.network, other.prefix, other.category, other.route].join() ===
    [party, product, country, network, prefix, category, route].join()
  const next = COMPANY.rates.find((other) => same(other) && other.from > from)
  const key = { country, mccmnc: network, prefix, routeClass: CLASS[product], waCategory: category }
  const currency = [...COMPANY.accounts, ...COMPANY.suppliers].find(({ code }) => code === party)?.currency
  return {
    ...{
      ...stamp,
      id: `rate-${index}`,
      product,
      rateKey: rateKeyOf(product, key),
      country: country ?? null,
      mccmnc: network ?? null,
    },
    ...{
      prefix: prefix ?? null,
      routeClass: key.routeClass ?? null,
      waCategory: category ?? null,
      price,
      setupFee: setupFee ?? null,
    },
    ...{ incFirst: increments?.[0] ?? null, incNext: increments?.[1] ?? null, graceSec: increments?.[2] ?? null },
    ...{
      billingMode: mode ?? null,
      currency,
      effectiveFrom: from,
      effectiveTo: next?.from ?? null,
      status: 'active',
      source: 'opening',
    },
    unit: product === 'voice' ? 'minute' : product === 'sms' ? 'segment' : product === 'otpSms' ? 'verified' : 'message',
  }
}

/** A rate for each day of the play, as the daily fetch would have them. */
function exchangeRates(): EntityRecord[] {
  const rows: EntityRecord[] = []
  for (const [base, steps] of Object.entries(COMPANY.exchange)) {
    const days = [...span('2026-09-25', '2027-01-10'), ...span('2027-07-10', '2027-07-18')]
    for (const date of days) {
      const rate = steps.filter(([from]) => from <= date).at(-1)?.[1]
      rows.push({
        ...stamp,
        id: `xe-${base}-${date}`,
        base,
        quote: 'CNY',
        date,
        rate,
        kind: 'xe',
        status: 'live',
        source: 'typed',
      })
    }
  }
  return rows
}

function span(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = plusDays(day, 1)) days.push(day)
  return days
}
