import { sql } from 'drizzle-orm'
import { getDomain } from 'tldts'
import { entityExpression, type EntityModel } from '../../../src/schema/entity'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import { bigramsOf, matchKeys, type DuplicateTable, type Identity } from '../../duplicates'
import type { EntityRecord } from '../calls'
import { textsIn } from '../effects/subject'
import { fixedWhere } from '../fixedWhere'
import type { Registry } from '../registry'

/** `x-duplicates` of an entity made ready. */
export interface Duplicates {
  readonly model: EntityModel
  readonly word: NonNullable<EntityDocument['x-duplicates']>
  readonly searched: DuplicateTable
  /** Its people: rows of another entity. */
  readonly people?: { model: EntityModel; parent: string; mail?: string; phones: readonly string[]; reason?: string }
}

const remembered = new WeakMap<object, Map<EntityModel, { own?: Duplicates; parent?: Duplicates }>>()

/** How records of an entity are compared (`own`), and the entity whose people they are (`parent`). */
export function duplicatesOf(registry: Registry, model: EntityModel): { own?: Duplicates; parent?: Duplicates } {
  let known = remembered.get(registry.generation)
  if (!known) {
    known = new Map()
    for (const each of registry.all()) {
      const own = each.document['x-duplicates'] && ready(registry, each, each.document['x-duplicates'])
      if (!own) continue
      known.set(each, { ...known.get(each), own })
      if (own.people) known.set(own.people.model, { ...known.get(own.people.model), parent: own })
    }
    remembered.set(registry.generation, known)
  }
  return known.get(model) ?? {}
}

function ready(registry: Registry, model: EntityModel, word: Duplicates['word']): Duplicates {
  const columnOf = (of: EntityModel, name: string): string => of.fields.get(name)!.column
  const read = textsIn([word.link, word.hints]).flatMap((text) => entityExpression(model, text).dependencies)
  const told = [...(word.tell ?? []), ...read, ...(model.scope.kind === 'owned' ? ['ownerId', 'ownerDeptId'] : [])]
  const facts = told.flatMap((name) => {
    const field = model.fields.get(name)
    return field?.storage === 'stored' ? [[name, field.column]] : []
  })
  const dot = word.people?.of.lastIndexOf('.') ?? 0
  const people = word.people && {
    model: registry.model(word.people.of.slice(0, dot)),
    parent: word.people.of.slice(dot + 1),
    mail: word.people.mail,
    phones: word.people.phones ?? [],
    reason: word.people.reason,
  }
  return {
    model,
    word,
    people,
    searched: {
      table: model.table,
      name: columnOf(model, word.name),
      ...(word.code === undefined ? {} : { code: columnOf(model, word.code) }),
      ...(word.country === undefined ? {} : { country: columnOf(model, word.country) }),
      numbers: (word.numbers ?? []).map((name) => columnOf(model, name)),
      facts: Object.fromEntries(facts) as Record<string, string>,
      live: sql.join([sql`t.deleted_at is null`, ...fixedWhere(model, word.while, 't')], sql` and `),
      ...(people && {
        people: {
          table: people.model.table,
          parent: columnOf(people.model, people.parent),
          ...(people.mail === undefined ? {} : { mail: columnOf(people.model, people.mail) }),
          phones: people.phones.map((name) => columnOf(people.model, name)),
        },
      }),
    },
  }
}

/** Names that a save of an entity may carry besides its fields, for its check. */
export function inputsOf(registry: Registry, model: EntityModel): string[] {
  const { own, parent } = duplicatesOf(registry, model)
  return [own?.word.people?.given, parent?.people?.reason].filter((name) => name !== undefined)
}

/** The fields by which a record is recognised. */
export const identifying = ({ word }: Duplicates): string[] =>
  [word.name, word.country, word.website, ...(word.numbers ?? [])].filter((name) => name !== undefined)

/** Derives what is compared of a record: its keys, and numbers and mail addresses in one spelling. */
export function deriveKeys(registry: Registry, model: EntityModel, record: EntityRecord, mails?: readonly unknown[]): void {
  const { own, parent } = duplicatesOf(registry, model)
  const mail = parent?.people?.mail
  if (mail !== undefined && typeof record[mail] === 'string') record[mail] = record[mail].trim().toLowerCase()
  if (!own) return
  const { word } = own
  const { nameKey, nameCore } = matchKeys(String(record[word.name] ?? ''))
  Object.assign(record, { nameKey, nameCore, nameBigrams: bigramsOf(nameKey) })
  for (const name of word.numbers ?? []) record[name] = plainNumber(record[name])
  record.domains = domainsOf(own, record, mails ?? [])
}

/** Numbers are compared without blanks and dashes, in capitals. */
const plainNumber = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.replace(/[\s-]/g, '').toUpperCase() : null

/** Registrable domains of a record's website and of its people's mail addresses, each once. */
export function domainsOf({ word }: Duplicates, record: EntityRecord, mails: readonly unknown[]): string[] {
  const website = word.website === undefined ? null : record[word.website]
  const hosts = [website, ...mails.map((mail) => (typeof mail === 'string' ? (mail.split('@')[1] ?? '') : null))]
  const domains = hosts.map((host) => (typeof host === 'string' ? getDomain(host) : null))
  return [...new Set(domains.filter((domain) => domain !== null).map((domain) => domain.toLowerCase()))]
}

/** What of a record with derived keys is compared. */
export const identityOf = ({ word }: Duplicates, record: EntityRecord, id: unknown): Identity => ({
  id: typeof id === 'string' ? id : null,
  nameKey: String(record.nameKey ?? ''),
  nameCore: String(record.nameCore ?? ''),
  countryCode: word.country === undefined ? '' : String(record[word.country] ?? ''),
  numbers: (word.numbers ?? []).map((name) => (record[name] as string | null) ?? null),
  domains: (record.domains as string[] | null) ?? [],
})

/** Mail addresses and telephone numbers of a person. */
export function peopleIn(people: Duplicates['people'], person: unknown): { emails: string[]; phones: string[] } {
  const given = (person ?? {}) as EntityRecord
  const texts = (names: readonly string[]): string[] => [
    ...new Set(names.map((name) => given[name]).filter((value) => typeof value === 'string' && value !== '') as string[]),
  ]
  return {
    emails: texts(people?.mail === undefined ? [] : [people.mail]).map((mail) => mail.toLowerCase()),
    phones: texts(people?.phones ?? []),
  }
}
