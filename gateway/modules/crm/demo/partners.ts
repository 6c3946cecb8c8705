import { addDays, dayOf, type Day } from '../../../platform/calendar'
import { figuresFor } from './earning'
import { edgeBook, type EdgeBook, type Parties } from './edgeRows'
import { changeCustomer, type Chapter } from './handovers'
import type { DemoRecord, DemoStaff } from '../../../demo'

/** Buka agents with commission of every state: months of a year, paid out but for the last ones. */
export const BUKA_AGENTS = ['CU2400126', 'CU2400127'] as const

/** A customer whom the first of them brought and who belongs to the agent's owner. */
const BUKA_EARNER = 'CU2400128'

/** Profiles of all partners: agents with customers, two of them below another agent. */
export function makePartners({ random, customers, now, timeZone, further }: Chapter): void {
  const rows = (further['crm.partnerProfile'] ??= [])
  const partners = customers.filter((one) => one.partyType === 'partner')
  const today = dayOf(now, timeZone)
  const others = customers.filter((one) => one.partyType === 'customer')
  for (const [index, partner] of partners.entries()) {
    const mode = random.weighted([
      ['revenueShare', 5],
      ['profitShare', 3],
      ['none', 2],
    ] as const)
    const top = index < 4
    rows.push({
      id: `pp-${partner.id.slice(3)}`,
      customerId: partner.id,
      partnerType: top ? 'agent' : random.pick(['agent', 'reseller', 'referrer', 'affiliate']),
      agentLevel: top ? 'diamond' : random.pick(['silver', 'silver', 'gold']),
      commissionMode: mode,
      commissionRate: mode === 'none' ? null : String(random.integer(3, 20)),
      inviteCode: inviteCode(index),
      agreementFrom: addDays(today, -random.integer(100, 340)),
      agreementTo: index % 5 === 1 ? addDays(today, random.integer(3, 28)) : addDays(today, random.integer(40, 500)),
      settleCycle: random.pick(['monthly', 'quarterly']),
      parentAgentId: index === 2 || index === 3 ? (partners[0]?.id ?? null) : null,
      status: index % 9 === 8 ? 'paused' : 'active',
      createdAt: partner.createdAt,
      createdBy: partner.createdBy,
    })
    if (top)
      for (const customer of random.sample(
        others.filter((one) => one.agentId === null),
        6,
      ))
        changeCustomer(customers, customer.id, { agentId: partner.id })
  }
}

function inviteCode(index: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  let rest = index * 1_000_003 + 7_654_321
  let code = ''
  for (let position = 0; position < 10; position += 1) {
    code += alphabet.charAt(rest % 32)
    rest = Math.floor(rest / 32) + (position + 1) * 977
  }
  return code
}

/**
 * Two Buka agents, the second below the first, whose customers bring revenue on Buka. Owners of the first one's customers are the
 * agent's own owner and others of the department, so that a sales person sees rows of customers that are somebody else's.
 */
export function makeBukaAgents(parties: Parties, chapter: Chapter): void {
  const { further } = chapter
  const book = edgeBook(parties, chapter)
  const { today, seller, at, add, log, follow } = book
  const begun = addDays(today, -380)
  const [first, second] = [
    {
      code: BUKA_AGENTS[0],
      name: 'Pelican Reach Agency Pte Ltd',
      country: 'SG',
      mode: 'revenueShare',
      rate: '8',
      owner: seller(0),
    },
    {
      code: BUKA_AGENTS[1],
      name: 'Batavia Signal Partners PT',
      country: 'ID',
      mode: 'profitShare',
      rate: '15',
      owner: seller(1),
    },
  ].map(({ code, name, country, mode, rate, owner }, index) => {
    const id = add({
      code,
      name,
      country,
      domain: `${code.toLowerCase()}.example`,
      owner,
      createdOn: begun,
      values: {
        partyType: 'partner',
        platform: 'buka',
        source: 'exhibition',
        stage: 'following',
        followCount: 1,
        ownedAt: at(addDays(today, -90)),
        lastFollowAt: at(addDays(today, -4)),
      },
    })
    log(id, 'create', owner, null, at(begun))
    follow(id, owner, new Date(at(addDays(today, -4))), 'en')
    ;(further['crm.partnerProfile'] ??= []).push({
      id: `pp-${id.slice(3)}`,
      customerId: id,
      partnerType: 'agent',
      agentLevel: index === 0 ? 'gold' : 'silver',
      commissionMode: mode,
      commissionRate: rate,
      inviteCode: inviteCode(1_000 + index),
      agreementFrom: addDays(begun, 10),
      agreementTo: addDays(begun, 740),
      settleCycle: 'monthly',
      parentAgentId: index === 0 ? null : `cu-${BUKA_AGENTS[0].slice(2)}`,
      status: 'active',
      createdAt: at(begun),
      createdBy: owner.id,
    })
    return { id, owner }
  })
  if (!first || !second) return
  bringOwn(parties, chapter, { book, agent: first, begun })
  giveCustomers(parties.customers, first, 2, 6)
  giveCustomers(parties.customers, second, 0, 4)
}

interface Agent {
  id: string
  owner: DemoStaff
}

/** A customer of the agent's own owner who has earned in every month, this one included, whatever the others of the world do. */
function bringOwn(
  parties: Parties,
  chapter: Chapter,
  { book, agent, begun }: { book: EdgeBook; agent: Agent; begun: Day },
): void {
  const { today, at, add, log, follow } = book
  const created = addDays(begun, 20)
  const touched = at(addDays(today, -3))
  const id = add({
    code: BUKA_EARNER,
    name: 'Kingfisher Lane Delivery Pte Ltd',
    country: 'SG',
    domain: `${BUKA_EARNER.toLowerCase()}.example`,
    owner: agent.owner,
    createdOn: created,
    values: {
      platform: 'buka',
      source: 'exhibition',
      stage: 'dealt',
      products: ['sms'],
      agentId: agent.id,
      payMode: 'prepaid',
      followCount: 1,
      lastFollowAt: touched,
      firstDealAt: at(addDays(created, 20)),
      lastTrafficAt: chapter.now.toISOString(),
    },
  })
  log(id, 'create', agent.owner, null, at(created))
  follow(id, agent.owner, new Date(touched), 'en')
  parties.customers.push(...figuresFor(chapter, parties.customers.splice(-1)))
}

/** The agent brought those customers; some of its owner, who came to Buka besides the main platform, and others of Buka. */
function giveCustomers(customers: DemoRecord[], agent: Agent, own: number, count: number): void {
  const earning = customers.filter(
    (one) =>
      one.partyType === 'customer' &&
      one.agentId === null &&
      one.holding === 'private' &&
      one.stage === 'dealt' &&
      Number(one.revenue30 ?? 0) > 0,
  )
  const near = earning.filter((one) => one.ownerId === agent.owner.id && !String(one.code).startsWith('CU24')).slice(0, own)
  const foreign = earning.filter((one) => one.ownerId !== agent.owner.id)
  const onBuka = earning.filter((one) => one.platform !== 'main' && !near.includes(one))
  // a small world may have nobody on Buka who belongs to somebody else: then one comes over
  const others = onBuka.some((one) => foreign.includes(one)) ? onBuka : [...onBuka, ...foreign.slice(0, 1)]
  const department = others.filter((one) => one.ownerDeptId === agent.owner.mainDeptId)
  for (const one of [...near, ...new Set([...department, ...others])].slice(0, count))
    changeCustomer(customers, one.id, { agentId: agent.id, ...(one.platform === 'main' ? { platform: 'both' } : {}) })
}
