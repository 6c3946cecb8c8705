import { COUNTRIES, type CountryFacts, type DemoPart, type DemoWorld } from '../../../demo'
import { makeAccounts } from './accounts'
import { makeBarredAttempt, makeBorders, makeVoided } from './borders'
import { makeBukaAndAppeals } from './buka'
import { fillCampaigns } from './campaigns'
import { makeCaps } from './caps'
import { inventSeeds, makeCustomers, type CustomerSeed } from './customers'
import { makeWorkEdges } from './edges'
import { makeFigures } from './figures'
import { fillCommissions, fillFigures } from './filled'
import { makeShares, makeTransfers, type Chapter } from './handovers'
import { makeBukaAgents, makePartners } from './partners'
import { makePastDeals } from './pastDeals'
import { makePortfolios } from './portfolios'
import { ALIAS_EDGE, CODED, makeAliasChanges, makeBlacklist, makeClassA } from './restrictions'
import { makeRules } from './rules'
import { makeOpportunities } from './sales'
import { makeVisits } from './visits'

/** Ordinary customers at scale 1. */
const CUSTOMERS = 640

/** How many customers have no story of their own: they come first. */
export const ordinaryCustomers = (scale: number): number => Math.max(20, Math.round(CUSTOMERS * scale)) + edgeCases().length

/** Customers with their lives, accounts, deals and everything that is decided about them. */
export const crmDemo: DemoPart = {
  make: makeCustomerWorld,
  coded: CODED,
  filled: fillFigures,
  settled: [fillCampaigns],
  counted: [fillCommissions],
}

function makeCustomerWorld(world: DemoWorld): void {
  const { now, timeZone, scale, random, rows, staff } = world
  const seeds = [...inventSeeds(random.fork('companies'), Math.max(20, Math.round(CUSTOMERS * scale))), ...edgeCases()]
  const parties = makeCustomers(random.fork('customers'), world, seeds, now, timeZone)
  const { customers, contacts, followUps, ownerLogs, seaRecords } = parties
  rows['crm.customer'] = customers
  rows['crm.contact'] = contacts
  rows['crm.followUp'] = followUps
  rows['crm.ownerLog'] = ownerLogs
  rows['crm.seaRecord'] = seaRecords
  rows['crm.share'] = []
  const chapter = (label: string): Chapter => ({ ...parties, random: random.fork(label), staff, now, timeZone, further: rows })
  makeFigures(chapter('figures'))
  makeTransfers(chapter('transfers'))
  makeBlacklist(chapter('blacklist'))
  makeAliasChanges(chapter('aliases'))
  makeClassA(chapter('classA'))
  makePartners(chapter('partners'))
  rows['crm.share'] = makeShares(chapter('shares'))
  makeWorkEdges(parties, chapter('workEdges'), scale)
  makeBukaAgents(parties, chapter('bukaAgents'))
  makeBukaAndAppeals(chapter('buka'))
  makeAccounts(chapter('accounts'))
  makeOpportunities(chapter('opportunities'))
  makeVisits(chapter('visits'))
  makePortfolios(parties, world, chapter('portfolios'))
  makeBorders(parties, chapter('borders'))
  makeVoided(parties, chapter('voided'))
  makePastDeals(parties, chapter('pastDeals'))
  makeBarredAttempt(chapter('barred'))
  makeCaps(parties, chapter('caps'))
  makeRules(chapter('rules'))
}

/** Rows that must exist because they are hard: quotes, formulas, markup, scripts, widths, normalisation. */
function edgeCases(): CustomerSeed[] {
  const company = (
    country: string,
    name: string,
    nameEn: string | null,
    shortName: string,
    domain: string,
  ): Pick<CustomerSeed, 'company' | 'country'> => {
    const facts = countryOf(country)
    return { country: facts, company: { name, nameEn, shortName, domain, city: facts.cities[0] ?? '' } }
  }
  const long =
    `Gesellschaft${'fürinternationaleNachrichtenübermittlungundverwandteDienstleistungen'.repeat(3)}`.slice(0, 195) + ' GmbH'
  return [
    {
      code: 'CU2400101',
      ...company('GB', `O'Neil & Sons "Fast" SMS Ltd`, `O'Neil & Sons "Fast" SMS Ltd`, 'ONeil', 'oneil-sons.example'),
    },
    { code: 'CU2400102', ...company('DE', long, long, 'Gesellschaft', 'gesellschaft-lang.example') },
    {
      code: 'CU2400103',
      ...company('US', '=SUM(A1:A9) Trading LLC', '=SUM(A1:A9) Trading LLC', 'Sum Trading', 'sum-trading.example'),
    },
    { code: 'CU2400104', ...company('US', '<b>Bold</b> Media', '<b>Bold</b> Media', 'Bold Media', 'bold-media.example') },
    {
      code: 'CU2400105',
      ...company('AE', 'Noor Al Khaleej Messaging FZE', 'Noor Al Khaleej Messaging FZE', 'Noor', 'noor-khaleej.example'),
      contactName: 'عبد الرحمن بن خالد',
      facts: { remark: 'يفضل التواصل عبر WhatsApp بعد الساعة 14:00 — prefers WhatsApp' },
    },
    {
      code: 'CU2400106',
      ...company('FR', 'Café 🚀 Re\u0301seau SAS', 'Café 🚀 Réseau SAS', 'Café Réseau', 'cafe-reseau.example'),
    },
    {
      code: 'CU2400107',
      ...company('HK', 'ＡＣＭＥ　ＴＥＬＥＣＯＭ', 'ACME TELECOM', 'Acme HK', 'acme-telecom-hk.example'),
      facts: { duplicateReason: '与法国 Acme 不同主体，已核对注册号' },
    },
    { code: 'CU2400108', ...company('FR', 'Acme Télécom S.A.R.L.', 'Acme Telecom SARL', 'Acme', 'acme-telecom.example') },
    {
      code: ALIAS_EDGE.code,
      ...company('SG', 'Merlion Relay Pte Ltd', 'Merlion Relay Pte Ltd', 'Merlion Relay', 'merlion-relay.example'),
      facts: { alias: ALIAS_EDGE.from },
      held: true,
    },
    {
      code: 'CU2400121',
      ...company(
        'AE',
        'Falcon Gulf Messagings FZE',
        'Falcon Gulf Messagings FZE',
        'Falcon Gulf',
        'falcon-gulf-messagings.example',
      ),
      facts: { riskLevel: 'medium' },
    },
  ]
}

function countryOf(code: string): CountryFacts {
  const facts = COUNTRIES.find((one) => one.code === code)
  if (!facts) throw new Error(`The demo world knows no country ${code}`)
  return facts
}
