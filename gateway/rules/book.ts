import { RULE_SETS, type RuleTypes } from '../../src/schema/generated/ruleSets'
import type { RuleSetDocument } from '../../src/schema/generated/rules'
import type { RuleSource, RuleSubject } from '../entities'
import { dayOf } from '../platform/calendar'
import { madeOnce, type Executor } from '../platform/database'
import { presentParams, resolveRule, type RuleOverride } from './resolve'

export type RuleKey = keyof RuleTypes & string

const SETS: ReadonlyMap<string, RuleSetDocument> = new Map(RULE_SETS.map((set) => [set.key, set]))

/** Every parameter as it is before somebody sets it. */
export const RULE_DEFAULTS = Object.fromEntries(RULE_SETS.map(({ key, defaults }) => [key, defaults])) as unknown as RuleTypes
/** The page of a set of rules, by its key; its title is what people call the rules. */
export const rulePage = (key: string): string | undefined => SETS.get(key)?.page

/** Modules that have rule sets. */
export const RULE_MODULES = [...new Set(RULE_SETS.map(({ key }) => key.split('.', 1)[0]!))]

/** What the exceptions of a rule set are made for, the first before the others. */
export const kindsOf = (key: string): readonly string[] =>
  (SETS.get(key)?.subjects ?? []).map((subject) => (typeof subject === 'string' ? subject : subject.id))

/** A rule set as it stands at a moment. */
export interface RuleBook<K extends RuleKey> {
  /** Parameters of the version in force; null = the defaults. */
  set: Partial<RuleTypes[K]> | null
  /** Number of the version in force; 0 = the defaults. */
  versionNo: number
  /** Exceptions that have not ended. */
  overrides: readonly RuleOverride<RuleTypes[K]>[]
}

/** A rule set at a moment. One transaction reads it once. */
export function ruleBook<K extends RuleKey>(db: Executor, key: K, now: Date): Promise<RuleBook<K>> {
  if (!('afterCommit' in db)) return readBook(db, key, now)
  const known = books.get(db) ?? new Map<string, Promise<unknown>>()
  books.set(db, known)
  const name = `${key} ${now.getTime()}`
  const book = (known.get(name) as Promise<RuleBook<K>> | undefined) ?? readBook(db, key, now)
  known.set(name, book)
  return book
}

const books = new WeakMap<Executor, Map<string, Promise<unknown>>>()

async function readBook<K extends RuleKey>(db: Executor, key: K, now: Date): Promise<RuleBook<K>> {
  const { rows: sets } = await db.query<{ params: Partial<RuleTypes[K]>; versionNo: number | null }>(
    `select params, version_no as "versionNo" from sys_rule_set where key = $1 and effective_from <= $2 and deleted_at is null
     order by effective_from desc, created_at desc limit 1`,
    [key, now.toISOString()],
  )
  const { rows: overrides } = await db.query<RuleOverride<RuleTypes[K]>>(
    `select target_type as "targetType", target_id as "targetId", params from sys_rule_override
     where rule_key = $1 and deleted_at is null and (until is null or until >= $2::date)`,
    [key, dayOf(now, db.companyTimeZone)],
  )
  const [set] = sets
  const defaults = RULE_DEFAULTS[key]
  return {
    set: set ? presentParams(set.params, defaults) : null,
    versionNo: Number(set?.versionNo ?? 0),
    overrides: overrides.map((one) => ({ ...one, params: presentParams(one.params, defaults) })),
  }
}

/** The parameters of a book that hold for a subject; without one those of the version in force, or the defaults. */
export const paramsOf = <K extends RuleKey>(
  key: K,
  { set, overrides }: Pick<RuleBook<K>, 'set' | 'overrides'>,
  subject: RuleSubject = {},
): RuleTypes[K] => resolveRule(RULE_DEFAULTS[key], set, overrides, subject, kindsOf(key))

/** The parameters of a rule set that hold now for a subject; departments of a member of staff are looked up when they matter. */
export function ruleFor<K extends RuleKey>(db: Executor, key: K, now: Date, subject: RuleSubject = {}): Promise<RuleTypes[K]> {
  return madeOnce(db, `${key} ${now.getTime()} ${JSON.stringify(subject)}`, async () => {
    const [rule] = await rulesFor(db, key, now, [subject])
    return rule!
  })
}

/** The same for many subjects, with one reading of the rule set. */
export async function rulesFor<K extends RuleKey>(
  db: Executor,
  key: K,
  now: Date,
  subjects: readonly RuleSubject[],
): Promise<RuleTypes[K][]> {
  return paramsOfAll(db, key, await ruleBook(db, key, now), subjects)
}

async function paramsOfAll<K extends RuleKey>(
  db: Executor,
  key: K,
  book: RuleBook<K>,
  subjects: readonly RuleSubject[],
): Promise<RuleTypes[K][]> {
  const whole = await withDepartments(db, book, subjects)
  return whole.map((subject) => paramsOf(key, book, subject))
}

/** The parameters of a rule set for many subjects, as look-ups of the language read them, and which version they are of. */
export const ruleSource: RuleSource = async (db, name, now, subjects) => {
  if (!SETS.has(name)) throw new Error(`There is no rule set "${name}".`)
  const key = name as RuleKey
  const book = await ruleBook(db, key, now)
  return { version: book.versionNo, params: (await paramsOfAll(db, key, book, subjects)).map((rule) => ({ ...rule })) }
}

/** Subjects with the departments of their members of staff, where an exception is made for a department. */
async function withDepartments(
  db: Executor,
  { overrides }: Pick<RuleBook<RuleKey>, 'overrides'>,
  subjects: readonly RuleSubject[],
): Promise<readonly RuleSubject[]> {
  if (!overrides.some(({ targetType }) => targetType === 'department')) return subjects
  const staffIds = subjects.flatMap(({ staffId, deptIds }) => (deptIds || !staffId ? [] : [staffId]))
  if (staffIds.length === 0) return subjects
  const departments = await departmentsOf(db, staffIds)
  return subjects.map((subject) => {
    const deptIds = subject.deptIds ?? departments.get(subject.staffId ?? '')
    return deptIds ? { ...subject, deptIds } : subject
  })
}

/** Departments of members of staff, from the root down to their main one. */
export async function departmentsOf(db: Executor, staffIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await db.query<{ id: string; path: string | null }>(
    `select s.id, d.path from sys_staff s left join sys_department d on d.id = s.main_dept_id where s.id = any($1::text[])`,
    [staffIds],
  )
  return new Map(rows.map(({ id, path }) => [id, (path ?? '').split('/').filter(Boolean)]))
}
