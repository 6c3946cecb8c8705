import { sql } from 'drizzle-orm'
import type { EntityModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { EntityRecord } from '../calls'
import { textArray } from '../clause'
import type { WriteContext, Written } from '../core'
import type { Registry } from '../registry'
import { columnSql, tableSql } from '../tables'
import { domainsOf, duplicatesOf, type Duplicates } from './word'

/** What has to be known of changed people, so that the domains of their records can follow. */
export function neededOfPeople(registry: Registry, model: EntityModel, names: readonly string[]): string[] {
  const people = duplicatesOf(registry, model).parent?.people
  if (people?.mail === undefined) return []
  return names.some((name) => [people.parent, people.mail, 'deletedAt'].includes(name)) ? [people.parent, people.mail] : []
}

/** Domains of mail addresses, by record. */
export async function mailsOf(db: Executor, { people }: Duplicates, ids: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(ids.map((id) => [id, []]))
  if (people?.mail === undefined || ids.length === 0) return found
  const [parent, mail] = [people.parent, people.mail].map((name) => columnSql('p', people.model.fields.get(name)!)) as [
    ReturnType<typeof columnSql>,
    ReturnType<typeof columnSql>,
  ]
  const { rows } = await db.query<{ id: string; mail: string }>(
    sql`select ${parent} as "id", ${mail} as "mail" from ${tableSql(people.model, 'p')} where ${parent} = any(${textArray(ids)}) and ${mail} is not null and p.deleted_at is null order by p.created_at, p.id`,
  )
  for (const { id, mail: address } of rows) found.get(id)?.push(address)
  return found
}

/** The domains of records follow the mail addresses of their people, whoever writes these. It raises neither version nor history. */
export async function followPeople({ core, tx, model }: WriteContext, written: readonly Written[]): Promise<void> {
  const duplicates = duplicatesOf(core.registry, model).parent
  if (duplicates?.people?.mail === undefined) return
  const { parent, mail } = duplicates.people
  const seen = ({ [parent]: of, [mail]: address, deletedAt }: EntityRecord): string =>
    JSON.stringify([of, address, deletedAt ?? null])
  const changed = written.filter(({ before, after }) => !before || seen(before) !== seen(after))
  const ids = changed.flatMap(({ before, after }) => [before?.[parent], after[parent]]).filter((id) => typeof id === 'string')
  if (ids.length === 0) return
  const table = sql.identifier(duplicates.model.table)
  const website = duplicates.word.website === undefined ? undefined : duplicates.model.fields.get(duplicates.word.website)
  const { rows } = await tx.query<EntityRecord & { id: string }>(
    sql`select t.id, ${website ? columnSql('t', website) : sql`null`} as "website" from ${table} t where t.id = any(${textArray([...new Set(ids)])}) order by t.id for no key update`,
  )
  const mails = await mailsOf(
    tx,
    duplicates,
    rows.map(({ id }) => id),
  )
  const values = rows.map(({ id, website: own }) => ({
    id,
    domains: domainsOf(duplicates, { [website?.name ?? '']: own }, mails.get(id) ?? []),
  }))
  await tx.query(
    sql`update ${table} t set domains = v.domains from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(id text, domains jsonb) where t.id = v.id and t.domains is distinct from v.domains`,
  )
}
