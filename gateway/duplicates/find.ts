import { sql, type SQL } from 'drizzle-orm'
import type { Executor } from '../platform/database'
import { hitOf, hitsAmong, type Candidate, type DuplicateHit, type DuplicateRules, type Identity } from './compare'
import { bigramsOf } from './names'

/** Where the records stand among which duplicates are sought. */
export interface DuplicateTable {
  table: string
  /** Columns of the name, code and country, of the numbers and of what else is told, by field. */
  name: string
  code?: string
  country?: string
  numbers: readonly string[]
  facts: Readonly<Record<string, string>>
  /** Which rows of `t` count. */
  live: SQL
  /** Rows of people that belong to a record. */
  people?: { table: string; parent: string; mail?: string; phones: readonly string[] }
}

const column = (name: string): SQL => sql`t.${sql.identifier(name)}`

/** What is read of a row of `t` as a candidate. */
export function candidateSql({ name, code, country, numbers, facts }: DuplicateTable): SQL {
  const told = Object.entries(facts).flatMap(([field, from]) => [sql`${field}::text`, column(from)])
  return sql`t.id, ${code ? column(code) : sql`null::text`} as "code", ${column(name)} as "name",
    ${country ? sql`coalesce(${column(country)}, '')` : sql`''::text`} as "countryCode", t.name_key as "nameKey", t.name_core as "nameCore",
    jsonb_build_array(${sql.join(numbers.map(column), sql`, `)}) as "numbers", t.domains as "domains",
    jsonb_build_object(${sql.join(told, sql`, `)}) as "facts"`
}

export const texts = (values: readonly string[]): SQL => sql`${sql.param(values)}::text[]`

/** Records that may be the same as one that is about to be saved, the surest first. */
export async function findDuplicates(
  db: Executor,
  searched: DuplicateTable,
  identity: Identity,
  rules: DuplicateRules,
  sharedDomains: ReadonlySet<string>,
): Promise<DuplicateHit[]> {
  const domains = identity.domains.filter((domain) => !sharedDomains.has(domain))
  const same = [
    ...searched.numbers.flatMap((number, index) => {
      const given = identity.numbers[index]
      return given ? [sql`${column(number)} = ${given}`] : []
    }),
    ...(identity.nameKey ? [sql`t.name_key = ${identity.nameKey}`] : []),
    ...(identity.nameCore ? [sql`t.name_core = ${identity.nameCore}`] : []),
    ...(domains.length > 0 ? [sql`t.domains ?| ${texts(domains)}`] : []),
  ]
  const equal =
    same.length === 0 ? [] : await candidates(db, searched, sql`${other(identity)} and (${sql.join(same, sql` or `)}) limit 50`)
  const alike = await withSharedPairs(db, searched, identity)
  return hitsAmong(identity, [...equal, ...alike], domains, rules, await samePeople(db, searched, identity))
}

const other = ({ id }: Identity): SQL => (id === null ? sql`true` : sql`t.id <> ${id}`)

async function candidates(db: Executor, searched: DuplicateTable, where: SQL): Promise<Candidate[]> {
  const { rows } = await db.query<Candidate>(
    sql`select ${candidateSql(searched)} from ${sql.identifier(searched.table)} t where ${searched.live} and ${where}`,
  )
  return rows
}

/** Records with the most pairs of letters in common. */
export function withSharedPairs(db: Executor, searched: DuplicateTable, identity: Identity): Promise<Candidate[]> {
  const pairs = bigramsOf(identity.nameKey)
  if (pairs.length < 2) return Promise.resolve([])
  return candidates(
    db,
    searched,
    sql`${other(identity)} and t.name_bigrams ?| ${texts(pairs)}
     order by (select count(*) from jsonb_array_elements_text(t.name_bigrams) pair where pair = any(${texts(pairs)})) desc limit 50`,
  )
}

/** Other records where the same mail address (block) or telephone number (warn) stands with a person. */
async function samePeople(db: Executor, searched: DuplicateTable, identity: Identity): Promise<DuplicateHit[]> {
  const { people } = searched
  const { emails = [], phones = [] } = identity
  if (!people || (emails.length === 0 && phones.length === 0)) return []
  const mail = people.mail ? sql`${sql.identifier(people.mail)} = any(${texts(emails)})` : sql`false`
  const phone = people.phones.map((name) => sql`${sql.identifier(name)} = any(${texts(phones)})`)
  const { rows } = await db.query<Candidate & { byMail: boolean }>(
    sql`select ${candidateSql(searched)}, found.mail as "byMail" from ${sql.identifier(searched.table)} t join (
       select ${sql.identifier(people.parent)} as parent, bool_or(coalesce(${mail}, false)) as mail from ${sql.identifier(people.table)}
       where deleted_at is null and (${sql.join([mail, ...phone], sql` or `)}) group by 1 limit 50
     ) found on found.parent = t.id where ${searched.live} and ${other(identity)}`,
  )
  return rows.map((row) => (row.byMail ? hitOf(row, 'email', 95, 'block') : hitOf(row, 'phone', 80, 'warn')))
}
