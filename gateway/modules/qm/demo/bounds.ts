import type { DemoRecord, DemoWorld } from '../../../demo'
import { rateKeyOf } from '../../biz'
import type { QuoteBook } from './book'
import { PRICED, rounded, text } from './prices'

const AGENTS = 4
const SOLD = ['IN', 'ID', 'BR', 'US', 'PH']
/** What the special prices were asked for. */
const REASONS = ['客户拿到竞争对手在印尼的低价，不跟价将失去全部流量', '承诺月量，换取印尼线路的试用价格'] as const

/** Limits of SMS prices, prices of agents and of what they resell, special prices with their applications. */
export function makeBounds(world: DemoWorld, book: QuoteBook): void {
  limits(world, book)
  agents(world, book)
  specials(world, book)
}

function limits({ rows }: DemoWorld, book: QuoteBook): void {
  const stamp = { createdAt: book.at(-200), createdBy: '' }
  const sms = PRICED.sms ?? []
  rows['qm.smsPriceLimit'] = sms.map(({ destination, cost }, index): DemoRecord => {
    const { country, mccmnc = null, routeClass } = destination
    return {
      ...{ ...stamp, id: `pl-${index + 1}`, product: 'sms', country, mccmnc, routeClass, currency: 'USD' },
      ...{ minPrice: text(rounded(cost * 1.02)), maxPrice: index % 3 === 0 ? text(rounded(cost * 2)) : null },
      ...{
        mode: index % 7 === 3 ? 'forbid' : 'approve',
        effectiveFrom: book.at(-200),
        effectiveTo: index === 9 ? book.at(60) : null,
      },
      ...{ reason: index % 7 === 3 ? '直连成本线，不得低于' : '不低于成本加 2%', exceptCustomers: null },
      status: index === 12 ? 'disabled' : 'enabled',
    }
  })
  const first = rows['qm.smsPriceLimit'][9]
  if (first)
    rows['qm.smsPriceLimit'].push({
      ...first,
      id: 'pl-next',
      minPrice: null,
      maxPrice: '0.050000',
      effectiveFrom: book.at(60),
      effectiveTo: null,
      reason: '自下季起只设上限',
    })
}

function agents({ rows }: DemoWorld, book: QuoteBook): void {
  const made = (rows['qm.agentRate'] ??= [])
  const customers = rows['crm.customer'] ?? []
  const partners = customers.filter(({ partyType }) => partyType === 'partner')
  const ends = customers.filter(({ stage, partyType }) => stage === 'dealt' && partyType !== 'partner')
  for (const [index, agent] of partners.slice(0, AGENTS).entries()) {
    const end = ends.find(({ agentId }) => agentId === agent.id) ?? ends[index * 3]
    const opened = Math.max(-180, book.daysTo(agent.createdAt))
    for (const { destination, cost } of (PRICED.sms ?? []).filter(
      ({ destination: { country, mccmnc } }) => mccmnc === undefined && SOLD.includes(String(country)),
    )) {
      const price = rounded(cost * 1.08)
      const common = {
        agentId: agent.id,
        product: 'sms',
        rateKey: rateKeyOf('sms', destination),
        ...destination,
        currency: 'USD',
        status: 'active',
      }
      const row = (more: object): void =>
        void made.push({
          ...{
            id: `ar-${String(made.length + 1).padStart(4, '0')}`,
            createdAt: book.at(opened),
            createdBy: String(agent.ownerId ?? ''),
          },
          ...{
            ...common,
            agentPrice: text(price),
            minResale: text(rounded(price * 1.02)),
            maxResale: text(rounded(price * 1.6)),
          },
          ...{ effectiveFrom: book.at(opened), ...more },
        })
      row({})
      // the first agent sells one country below what he pays us
      if (end && (destination.country === 'IN' || destination.country === 'US'))
        row({
          endCustomerId: end.id,
          resalePrice: text(rounded(price * (index === 0 && destination.country === 'US' ? 0.96 : 1.15))),
        })
    }
  }
}

/** The applications behind the special prices in force: approved, used, and sent less than was promised. */
function specials({ rows, random }: DemoWorld, book: QuoteBook): void {
  const chance = random.fork('special prices')
  const owners = new Map((rows['crm.customer'] ?? []).map(({ id, ownerId }) => [id, ownerId]))
  const [heads, lines] = ['qm.specialPrice', 'qm.specialPriceLine'].map((entity) => (rows[entity] ??= [])) as [
    DemoRecord[],
    DemoRecord[],
  ]
  for (const rate of (rows['qm.customerRate'] ?? []).filter(({ specialPriceId }) => typeof specialPriceId === 'string')) {
    const id = String(rate.specialPriceId)
    const from = book.daysTo(rate.effectiveFrom)
    const volume = chance.integer(4, 12) * 100_000
    const [price, current] = [Number(rate.price), Number(rate.oldPrice)]
    const stamp = { createdAt: book.at(from - 4), createdBy: String(owners.get(String(rate.customerId)) ?? '') }
    heads.push({
      ...{ ...stamp, id, code: `TJ${book.day(from - 4).replaceAll('-', '')}${id.slice(-4)}`, customerId: rate.customerId },
      ...{
        accountId: rate.accountId,
        product: rate.product,
        applicantId: stamp.createdBy || null,
        reasonType: heads.length % 2 === 0 ? 'competition' : 'volume',
      },
      ...{ reason: REASONS[heads.length % 2], expectedVolume: volume, volumeUnit: 'segment', currency: rate.currency },
      ...{
        validFrom: book.day(from),
        validTo: book.day(book.daysTo(rate.effectiveTo) - 1),
        status: 'used',
        approvedAt: book.at(from - 2),
      },
      ...{ usedSheetId: rate.sheetId, volumeSent: Math.round(volume * 0.6) },
    })
    lines.push({
      ...{ ...stamp, id: `${id}-1`, specialPriceId: id, position: 0, rateKey: rate.rateKey, country: rate.country },
      ...{
        routeClass: rate.routeClass,
        unit: rate.unit,
        currentPrice: current.toFixed(6),
        applyPrice: price.toFixed(6),
        approvedPrice: price.toFixed(6),
      },
    })
  }
}
