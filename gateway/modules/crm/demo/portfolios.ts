import { makeCustomers, type CustomerSeed } from './customers'
import { earn } from './earning'
import type { Parties } from './edgeRows'
import type { Chapter } from './handovers'
import { COUNTRIES, inventCompany, type Organisation } from '../../../demo'
import { makeOpportunities } from './sales'
import { makeVisits } from './visits'

/** Customers that each lead begins with. */
const EACH = 16
/** Customers that hold no alias of the ordinary ones. */
const ALIASES_FROM = 20_000

/** Leads sell, too: each keeps a few customers with their history, opportunities and visits. */
export function makePortfolios(parties: Parties, organisation: Organisation, chapter: Chapter): void {
  const { random, now, timeZone } = chapter
  const leads = organisation.staff.filter(
    (one) => one.position === 'salesLead' && ['active', 'probation'].includes(one.status) && one.countries.length > 0,
  )
  const taken = new Set(parties.customers.flatMap((one) => [String(one.name), String(one.shortName)]))
  const seeds = leads.flatMap((lead): CustomerSeed[] => {
    const countries = COUNTRIES.filter((one) => lead.countries.includes(one.code))
    return Array.from({ length: EACH }, () => {
      const country = random.pick(countries)
      return { country, company: inventCompany(random, country, taken), facts: { partyType: 'customer', platform: 'main' } }
    })
  })
  const lived = makeCustomers(random.fork('leads'), organisation, seeds, now, timeZone, {
    customers: parties.customers,
    sellers: leads,
    first: ALIASES_FROM,
    mark: 'l',
  })
  const before = parties.customers.length
  parties.customers.push(...lived.customers)
  parties.contacts.push(...lived.contacts)
  parties.followUps.push(...lived.followUps)
  parties.ownerLogs.push(...lived.ownerLogs)
  parties.seaRecords.push(...lived.seaRecords)
  earn(parties, chapter, before)
  const added = parties.customers.slice(before)
  for (const lead of leads) {
    const customers = added.filter((one) => one.ownerId === lead.id && one.holding === 'private')
    if (customers.length === 0) continue
    const ids = new Set<unknown>(customers.map((one) => one.id))
    const own = { ...chapter, customers, followUps: lived.followUps.filter((one) => ids.has(one.customerId)) }
    makeOpportunities({ ...own, random: random.fork(`opportunities ${lead.id}`) })
    makeVisits({ ...own, random: random.fork(`visits ${lead.id}`) })
  }
}
