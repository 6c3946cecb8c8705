import { sql } from 'drizzle-orm'
import type { Executor } from '../platform/database'
import { hitsAmong, type Candidate, type DuplicateHit, type DuplicateRules, type Identity } from './compare'
import { candidateSql, withSharedPairs, type DuplicateTable } from './find'
import { looksLike, pairsOfSimilar } from './names'
import { NameIndex } from './nameIndex'
import { CONFUSABLES } from './words'

const DISGUISES = Object.keys(CONFUSABLES).join('')
const DISGUISED = new RegExp(`[${DISGUISES}]`)

/**
 * The duplicate check for many new records. The candidates of a batch are read in a few statements; records that were accepted
 * before count, though they are not stored yet. It finds what the check of a single record finds.
 */
export class ManyDuplicates {
  /** Stored records that each identity of the batch has to be compared with. */
  private stored = new Map<string, Map<string, Candidate>>()
  private accepted = new NameIndex()
  /** Records whose names are written with letters that look like others: the stored pairs of letters do not find them. */
  private disguised: NameIndex | undefined

  constructor(private readonly searched: DuplicateTable) {}

  async prepare(
    db: Executor,
    identities: readonly Identity[],
    rules: DuplicateRules,
    sharedDomains: ReadonlySet<string>,
  ): Promise<void> {
    const { searched } = this
    this.disguised ??= await disguisedNames(db, searched)
    this.accepted = new NameIndex()
    this.stored = new Map()
    const different = [...new Map(identities.map((identity) => [keyOf(identity), identity])).values()]
    const note = (identity: Identity, candidates: readonly Candidate[]): void => {
      const known = this.stored.get(keyOf(identity)) ?? new Map<string, Candidate>()
      this.stored.set(keyOf(identity), known)
      for (const candidate of candidates) known.set(candidate.id, candidate)
    }
    await settleIndexes(db, searched)
    for (const { n, ...candidate } of await equalOnes(db, searched, different, sharedDomains)) note(different[n]!, [candidate])
    for (const { n, ...candidate } of await similarOnes(db, searched, different, rules)) note(different[n]!, [candidate])
    // a name in letters of two scripts at once is rare, and its pairs say little
    for (const identity of different.filter(({ nameKey }) => mixed(nameKey)))
      note(identity, await withSharedPairs(db, searched, identity))
  }

  /** What an identity of the prepared batch may be a duplicate of. */
  of(identity: Identity, rules: DuplicateRules, sharedDomains: ReadonlySet<string>): DuplicateHit[] {
    const domains = identity.domains.filter((domain) => !sharedDomains.has(domain))
    const candidates = [
      ...(this.stored.get(keyOf(identity))?.values() ?? []),
      ...(this.disguised?.near(identity, domains, rules.minSimilarity) ?? []),
      ...this.accepted.near(identity, domains, rules.minSimilarity),
    ]
    return hitsAmong(identity, candidates, domains, rules)
  }

  /** A record of the batch will be stored. */
  add(candidate: Candidate): void {
    this.accepted.add(candidate)
    if (DISGUISED.test(candidate.nameKey)) this.disguised?.add(candidate)
  }
}

type Found = Candidate & { /** Place of the identity that it was found for. */ n: number }

const keyOf = ({ nameKey, nameCore, countryCode, numbers, domains }: Identity): string =>
  JSON.stringify([nameKey, nameCore, countryCode, numbers, domains])

/** Names in the Latin script with letters of another one. */
const mixed = (nameKey: string): boolean => DISGUISED.test(nameKey) && /[a-z]/.test(nameKey)

/** The same number, name, core of the name, or domain. */
async function equalOnes(
  db: Executor,
  searched: DuplicateTable,
  identities: readonly Identity[],
  sharedDomains: ReadonlySet<string>,
): Promise<Found[]> {
  const asked = identities.flatMap(({ numbers, nameKey, nameCore, domains }, n) =>
    Object.entries({ ...numbers, nameKey, nameCore })
      .concat(domains.filter((domain) => !sharedDomains.has(domain)).map((domain) => ['domain', domain]))
      .flatMap(([kind, value]) => (value ? [[n, kind, value]] : [])),
  )
  if (asked.length === 0) return []
  const same = {
    ...searched.numbers.map((number) => sql`t.${sql.identifier(number)} = asked.value`),
    nameKey: sql`t.name_key = asked.value`,
    nameCore: sql`t.name_core = asked.value`,
    domain: sql`t.domains ? asked.value`,
  }
  const arms = Object.entries(same).map(
    ([kind, condition]) =>
      sql`select asked.n, found.* from asked cross join lateral (select ${candidateSql(searched)} from ${sql.identifier(searched.table)} t where ${searched.live} and ${condition} limit 50) found where asked.kind = ${kind}`,
  )
  const { rows } = await db.query<Found>(
    sql`with asked as materialized (select (one->>0)::int as n, one->>1 as kind, one->>2 as value from jsonb_array_elements(${JSON.stringify(asked)}::jsonb) one)
     ${sql.join(arms, sql` union all `)}`,
  )
  return rows
}

/**
 * Names that may be similar. A similar name lacks a few pairs at most; of one group of pairs more than that it has them all, and an
 * index finds whoever has a group.
 */
async function similarOnes(
  db: Executor,
  searched: DuplicateTable,
  identities: readonly Identity[],
  rules: DuplicateRules,
): Promise<Found[]> {
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
    sql`with asked as materialized (select (one->>0)::int as n, one->1 as pairs, one->2 as countries from jsonb_array_elements(${JSON.stringify(asked)}::jsonb) one)
     select asked.n, found.* from asked cross join lateral (
       select ${candidateSql(searched)} from ${sql.identifier(searched.table)} t
       where ${searched.live} and t.name_bigrams @> asked.pairs${searched.country ? sql` and asked.countries ? coalesce(t.${sql.identifier(searched.country)}, '')` : sql``}) found`,
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
async function settleIndexes(db: Executor, { table }: DuplicateTable): Promise<void> {
  await db.query(
    sql`select gin_clean_pending_list(part.indexrelid::regclass) from pg_index part
       join pg_class index on index.oid = part.indexrelid join pg_am way on way.oid = index.relam and way.amname = 'gin'
       join pg_attribute field on field.attrelid = part.indrelid and field.attnum = any(part.indkey) and field.attname in ('name_bigrams', 'domains')
     where part.indrelid = ${table}::regclass`,
  )
}

async function disguisedNames(db: Executor, searched: DuplicateTable): Promise<NameIndex> {
  const { rows } = await db.query<Candidate>(
    sql`select ${candidateSql(searched)} from ${sql.identifier(searched.table)} t where ${searched.live} and t.name_key ~ ${`[${DISGUISES}]`}
       and (t.name_key ~ '[a-z]' or length(regexp_replace(translate(t.name_key, ${DISGUISES}, ${looksLike(DISGUISES)}), '[^а-яёіѕјα-ω]', '', 'g')) <= 2)`,
  )
  const index = new NameIndex()
  for (const row of rows) index.add(row)
  return index
}
