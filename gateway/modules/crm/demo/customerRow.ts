import { bigramsOf, matchKeys } from '../../../duplicates'
import { dayOf, daysBetween } from '../../../platform/calendar'
import { decideRecycling } from './recycling'
import type { DemoContact } from './contacts'
import { factsOf, type Life } from './lives'
import { COUNTRIES, type Chance, type DemoRecord } from '../../../demo'
import { RULE_DEFAULTS } from '../../../rules'

/** The row of a customer whose history was lived through. */
export function rowOf(
  random: Chance,
  life: Life,
  code: string,
  contacts: readonly DemoContact[],
  index: number,
  now: Date,
  timeZone: string,
): DemoRecord {
  const { company, country } = life.seed
  const keys = matchKeys(company.name)
  const dealt = life.firstDealAt !== null
  const idleTraffic = life.lastTrafficAt ? daysBetween(dayOf(life.lastTrafficAt, timeZone), dayOf(now, timeZone)) : 0
  const stage = dealt && idleTraffic > 90 ? 'churned' : dealt && idleTraffic > 30 ? 'silent' : life.stage
  const revenue = dealt && idleTraffic <= 30 ? random.integer(300, 42_000) + random.integer(0, 99) / 100 : null
  const recycling = decideRecycling(factsOf({ ...life, stage }), RULE_DEFAULTS['crm.sea'], timeZone)
  const row = {
    id: life.id,
    code,
    name: company.name,
    nameEn: company.nameEn,
    shortName: company.shortName,
    alias: dealt ? aliasOf(country.code, index) : null,
    nameKey: keys.nameKey,
    nameCore: keys.nameCore,
    nameBigrams: bigramsOf(keys.nameKey),
    partyType: index % 40 === 7 ? 'partner' : 'customer',
    tradeType: random.weighted([
      ['direct', 72],
      ['wholesale', 28],
    ]),
    platform: random.weighted([
      ['main', 74],
      ['buka', 22],
      ['both', 4],
    ]),
    customerType: random.weighted([
      ['enterprise', 58],
      ['aggregator', 14],
      ['platformCo', 18],
      ['operator', 4],
      ['government', 3],
      ['individual', 3],
    ]),
    industry: random.pick([
      'fintech',
      'ecommerce',
      'gaming',
      'social',
      'logistics',
      'travel',
      'education',
      'health',
      'retail',
      'telecom',
      'saas',
    ]),
    countryCode: country.code,
    city: company.city,
    address: null,
    website: `https://www.${company.domain}`,
    domains: [company.domain],
    regNo: `${country.code}${String(random.integer(10_000_000, 99_999_999))}`,
    taxNo: null,
    scale: random.pick(['s1', 's2', 's3', 's4', 's5']),
    source: random.weighted([
      ['website', 22],
      ['exhibition', 16],
      ['referral', 18],
      ['cold', 24],
      ['emailCampaign', 8],
      ['agent', 4],
      ['bukaSignup', 8],
    ]),
    products: random.sample(['sms', 'voice', 'number', 'whatsapp', 'otpSms'], random.integer(1, 3)),
    trafficCountries: random.sample(COUNTRIES, random.integer(1, 4)).map((one) => one.code),
    level: revenue === null ? 'd' : revenue > 20_000 ? 'b' : 'c',
    classA: false,
    classAValidTo: null,
    stage,
    holding: life.owner ? 'private' : 'sea',
    ownerId: life.owner?.id ?? null,
    ownerDeptId: life.owner?.mainDeptId ?? null,
    ownedAt: life.owner ? life.ownedAt.toISOString() : null,
    gainedBy: life.gainedBy,
    protectUntil: life.owner ? life.protectUntil : null,
    lastFollowAt: life.lastFollowAt?.toISOString() ?? null,
    nextFollowAt: life.owner ? (life.nextFollowAt?.toISOString() ?? null) : null,
    followCount: life.followCount,
    recycleOn: life.owner ? recycling.recycleOn : null,
    firstDealAt: life.firstDealAt?.toISOString() ?? null,
    lastTrafficAt: life.lastTrafficAt?.toISOString() ?? null,
    revenue30: revenue?.toFixed(2) ?? null,
    profit30: revenue === null ? null : (revenue * (0.04 + random.next() * 0.16)).toFixed(2),
    balance: null,
    creditLimit: null,
    payMode: dealt ? random.pick(['prepaid', 'postpaid']) : 'none',
    settleCurrency: country.code === 'CN' ? 'CNY' : 'USD',
    agentId: null,
    riskLevel: random.weighted([
      ['low', 80],
      ['medium', 16],
      ['high', 4],
    ]),
    tags: random.happens(0.3)
      ? random.sample(['keyTarget', 'priceSensitive', 'qualityFirst', 'testAgain', 'exhibitor', 'seasonal'], random.integer(1, 2))
      : [],
    language: country.language,
    timeZone: country.timeZone,
    erpCode: null,
    duplicateOfId: null,
    duplicateReason: null,
    blacklisted: false,
    voided: false,
    seaEnteredAt: life.seaEnteredAt?.toISOString() ?? null,
    seaReason: life.seaReason,
    lastOwnerId: life.lastOwner?.id ?? null,
    seaStays: life.stays,
    remark: null,
    attachments: [],
    createdAt: life.createdAt.toISOString(),
    createdBy: life.creator.id,
  }
  return {
    ...row,
    ...(contacts.length === 0
      ? {}
      : {
          domains: [
            ...new Set([
              company.domain,
              ...contacts.flatMap((contact) => (contact.email ? [contact.email.split('@')[1] ?? ''] : [])),
            ]),
          ].filter(Boolean),
        }),
    ...life.seed.facts,
  }
}

/** An alias by number: another number gives another alias. */
export function aliasOf(country: string, index: number): string {
  const alphabet = 'ACDEFGHJKLMNPQRTUVWXY34679'
  let rest = index * 7919 + 12_345
  let text = ''
  for (let position = 0; position < 4; position += 1) {
    text += alphabet[rest % alphabet.length] ?? 'A'
    rest = Math.floor(rest / alphabet.length)
  }
  return `${country}${text}`
}
