import type { Executor } from '../../../platform/database'
import type { CrmRules } from '../rules/ruleSets'
import { COLUMNS, hitsAmong, LIVE, withSharedPairs } from './findDuplicates'
import type { Candidate, DuplicateHit, Identity } from './findDuplicates'
import { looksLike, pairsOfSimilar } from './nameKey'
import { NameIndex } from './nameIndex'
import { CONFUSABLES } from './words'

type Rules = CrmRules['crm.duplicate']

const DISGUISES = Object.keys(CONFUSABLES).join('')
const DISGUISED = new RegExp(`[${DISGUISES}]`)

/**
 * The duplicate check (CRM rule 9.1) for many new customers. The candidates of a batch are read in a few statements; customers
 * that were accepted before count, though they are not stored yet. It finds what the check of a single customer finds.
 */
export class ManyDuplicates {
  /** Customers in the database that each identity of the batch has to be compared with. */
  private stored = new Map<string, Map<string, Candidate>>()
  private accepted = new NameIndex()
  /** Customers whose names are written with letters that look like others: the stored pairs of letters do not find them. */
  private disguised: NameIndex | undefined

  async prepare(db: Executor, identities: readonly Identity[], rules: Rules, sharedDomains: ReadonlySet<string>): Promise<void> {
    this.disguised ??= await disguisedNames(db)
    this.accepted = new NameIndex()
    this.stored = new Map()
    const different = [...new Map(identities.map((identity) => [keyOf(identity), identity])).values()]
    const note = (identity: Identity, candidates: readonly Candidate[]): void => {
      const known = this.stored.get(keyOf(identity)) ?? new Map<string, Candidate>()
      this.stored.set(keyOf(identity), known)
      for (const candidate of candidates) known.set(candidate.id, candidate)
    }
    await settleIndexes(db)
    for (const { n, ...candidate } of await equalOnes(db, different, sharedDomains)) note(different[n]!, [candidate])
    for (const { n, ...candidate } of await similarOnes(db, different, rules)) note(different[n]!, [candidate])
    // a name in letters of two scripts at once is rare, and its pairs say little
    for (const identity of different.filter(({ nameKey }) => mixed(nameKey))) note(identity, await withSharedPairs(db, identity))
  }

  /** What an identity of the prepared batch may be a duplicate of. */
  of(identity: Identity, rules: Rules, sharedDomains: ReadonlySet<string>): DuplicateHit[] {
    const domains = identity.domains.filter((domain) => !sharedDomains.has(domain))
    const candidates = [
      ...(this.stored.get(keyOf(identity))?.values() ?? []),
      ...(this.disguised?.near(identity, domains, rules.minSimilarity) ?? []),
      ...this.accepted.near(identity, domains, rules.minSimilarity),
    ]
    return hitsAmong(identity, candidates, domains, rules)
  }

  /** A customer of the batch will be stored. */
  add(candidate: Candidate): void {
    this.accepted.add(candidate)
    if (DISGUISED.test(candidate.nameKey)) this.disguised?.add(candidate)
  }
}

type Found = Candidate & { /** Place of the identity that it was found for. */ n: number }

const keyOf = ({ nameKey, nameCore, countryCode, regNo, taxNo, domains }: Identity): string =>
  JSON.stringify([nameKey, nameCore, countryCode, regNo, taxNo, domains])

/** Names in the Latin script with letters of another one. */
const mixed = (nameKey: string): boolean => DISGUISED.test(nameKey) && /[a-z]/.test(nameKey)

const SAME = {
  regNo: 'reg_no = asked.value',
  taxNo: 'tax_no = asked.value',
  nameKey: 'name_key = asked.value',
  nameCore: 'name_core = asked.value',
  domain: 'domains ? asked.value',
} as const

/** The same number, name, core of the name, or domain. */
async function equalOnes(db: Executor, identities: readonly Identity[], sharedDomains: ReadonlySet<string>): Promise<Found[]> {
  const asked = identities.flatMap(({ regNo, taxNo, nameKey, nameCore, domains }, n) =>
    Object.entries({ regNo, taxNo, nameKey, nameCore })
      .concat(domains.filter((domain) => !sharedDomains.has(domain)).map((domain) => ['domain', domain]))
      .flatMap(([kind, value]) => (value ? [[n, kind, value]] : [])),
  )
  if (asked.length === 0) return []
  const arms = Object.entries(SAME).map(
    ([kind, same]) =>
      `select asked.n, found.* from asked cross join lateral (select ${COLUMNS} from crm_customer where ${LIVE} and ${same} limit 50) found where asked.kind = '${kind}'`,
  )
  const { rows } = await db.query<Found>(
    `with asked as materialized (select (one->>0)::int as n, one->>1 as kind, one->>2 as value from jsonb_array_elements($1::jsonb) one)
     ${arms.join(' union all ')}`,
    [JSON.stringify(asked)],
  )
  return rows
}

/**
 * Names that may be similar. A similar name lacks a few pairs at most; of one group of pairs more than that it has them all, and an
 * index finds whoever has a group.
 */
async function similarOnes(db: Executor, identities: readonly Identity[], rules: Rules): Promise<Found[]> {
  const asked = identities.flatMap(({ nameKey, countryCode }, n) => {
    const countries = [
      countryCode,
      ...rules.countryGroups.flatMap(({ countries }) => (countries.includes(countryCode) ? countries : [])),
    ]
    const names = new Set([nameKey, looksLike(nameKey)])
    return [...names].flatMap((name) => groupsOf(name, rules.minSimilarity).map((group) => [n, group, countries]))
  })
  if (asked.length === 0) return []
  const { rows } = await db.query<Found>(
    `with asked as materialized (select (one->>0)::int as n, one->1 as pairs, one->2 as countries from jsonb_array_elements($1::jsonb) one)
     select asked.n, found.* from asked cross join lateral (
       select ${COLUMNS} from crm_customer where ${LIVE} and name_bigrams @> asked.pairs and asked.countries ? coalesce(country_code, '')) found`,
    [JSON.stringify(asked)],
  )
  return rows
}

function groupsOf(nameKey: string, minSimilarity: number): string[][] {
  const { pairs, lacking } = pairsOfSimilar(nameKey, minSimilarity)
  if (pairs.length < 2) return []
  const groups = Array.from({ length: lacking + 1 }, (): string[] => [])
  for (const [index, pair] of pairs.entries()) groups[index % groups.length]!.push(pair)
  return groups
}

/** New rows wait in a list before they enter an index of pairs or domains, and every search walks through that list. */
async function settleIndexes(db: Executor): Promise<void> {
  await db.query(
    `select gin_clean_pending_list(part.indexrelid::regclass) from pg_index part
       join pg_class index on index.oid = part.indexrelid join pg_am way on way.oid = index.relam and way.amname = 'gin'
       join pg_attribute field on field.attrelid = part.indrelid and field.attnum = any(part.indkey) and field.attname in ('name_bigrams', 'domains')
     where part.indrelid = 'crm_customer'::regclass`,
  )
}

async function disguisedNames(db: Executor): Promise<NameIndex> {
  const { rows } = await db.query<Candidate>(
    `select ${COLUMNS} from crm_customer where ${LIVE} and name_key ~ $1
       and (name_key ~ '[a-z]' or length(regexp_replace(translate(name_key, $2, $3), '[^а-яёіѕјα-ω]', '', 'g')) <= 2)`,
    [`[${DISGUISES}]`, DISGUISES, looksLike(DISGUISES)],
  )
  const index = new NameIndex()
  for (const row of rows) index.add(row)
  return index
}
