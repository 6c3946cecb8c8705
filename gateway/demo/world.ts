import { dayOf } from '../modules/crm'
import { makeBarredAttempts, makeBorders, makeVoided } from './borders'
import { makeBukaAndAppeals } from './buka'
import { makeCaps } from './caps'
import { makeWorkEdges } from './edges'
import { inventSeeds, makeCustomers, type CustomerSeed } from './customers'
import { COUNTRIES, type CountryFacts } from './names'
import { makeFigures } from './figures'
import { makeOrganisation } from './organisation'
import { makeShares, makeTransfers, type Chapter } from './handovers'
import { makeAccounts } from './accounts'
import { makeClues } from './clues'
import { makePastDeals } from './pastDeals'
import { makePortfolios } from './portfolios'
import { chance } from './random'
import { makeRules } from './rules'
import { makeRates } from './rates'
import { makeBukaAgents, makePartners } from './partners'
import { ALIAS_EDGE, makeAliasChanges, makeBlacklist, makeClassA } from './restrictions'
import { makeOpportunities } from './sales'
import type { DemoWorld } from './types'
import { makeVisits } from './visits'

/** The number that fixes the whole world. */
const SEED = 20_261_120
/** Ordinary customers at scale 1. */
const CUSTOMERS = 640

export interface WorldOptions {
  /** The world's today; nothing in it happens later. */
  now: Date
  /** The company's time zone. */
  timeZone: string
  /** Multiplies the number of ordinary customers; default 1. */
  scale?: number
}

/** Makes the demo world: the same now, zone and scale give the same world to the last character. */
export function makeWorld({ now, timeZone, scale = 1 }: WorldOptions): DemoWorld {
  const random = chance(SEED)
  const organisation = makeOrganisation(random.fork('organisation'), dayOf(now, timeZone), timeZone)
  const seeds = [...inventSeeds(random.fork('companies'), Math.max(20, Math.round(CUSTOMERS * scale))), ...edgeCases()]
  const parties = makeCustomers(random.fork('customers'), organisation, seeds, now, timeZone)
  const { departments, staff, roles, members } = organisation
  const chapter = (label: string): Chapter => ({ ...parties, random: random.fork(label), staff, now, timeZone, further })
  const further: Chapter['further'] = {}
  makeFigures(chapter('figures'))
  makeRates(chapter('rates'))
  makeTransfers(chapter('transfers'))
  makeBlacklist(chapter('blacklist'))
  makeAliasChanges(chapter('aliases'))
  makeClassA(chapter('classA'))
  makePartners(chapter('partners'))
  const shares = makeShares(chapter('shares'))
  makeWorkEdges(parties, chapter('workEdges'), scale)
  makeBukaAgents(parties, chapter('bukaAgents'))
  makeBukaAndAppeals(chapter('buka'))
  makeAccounts(chapter('accounts'))
  makeOpportunities(chapter('opportunities'))
  makeVisits(chapter('visits'))
  makeClues(chapter('leads'))
  makePortfolios(parties, organisation, chapter('portfolios'))
  makeBorders(parties, chapter('borders'))
  makeVoided(parties, chapter('voided'))
  makePastDeals(parties, chapter('pastDeals'))
  makeBarredAttempts(chapter('barred'))
  makeCaps(parties, chapter('caps'))
  makeRules(chapter('rules'))
  return {
    departments,
    staff,
    roles,
    members,
    ...parties,
    shares,
    further,
  }
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
