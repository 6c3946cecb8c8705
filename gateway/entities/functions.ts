/** What modules answer when documents ask them: look-ups, rule sets, derived values. */
import type { Executor } from '../platform/database'
import type { RequestContext, Text } from '../platform/http'
import type { EntityRecord } from './calls'

/** For whom a rule set is asked; empty: for nobody in particular. */
export interface RuleSubject {
  readonly staffId?: string
  /** Departments from the root down to the person's own; without them they are looked up when they matter. */
  readonly deptIds?: readonly string[]
  readonly countryCode?: string
  /** Further subjects of the rule set, e.g. the level of a customer. */
  readonly [subject: string]: string | readonly string[] | undefined
}

/** Answers the parameters of a rule set for each subject, all at once, and the number of the version that they are of (0: the defaults). */
export type RuleSource = (
  db: Executor,
  key: string,
  now: Date,
  subjects: readonly RuleSubject[],
) => Promise<{ readonly version: number; readonly params: readonly EntityRecord[] }>

/**
 * Answers what a look-up asks of a module, for all records of a write at once; the number of statements must not grow with them.
 * `asked` is what stands in `with`, evaluated for each record, in the order of the records.
 */
export type LookupFunction = (
  call: { db: Executor; context: RequestContext; now: Date },
  asked: readonly EntityRecord[],
) => Promise<readonly unknown[]>

/** A record whose derived fields are to be worked out. */
export interface DerivedRow {
  /** What the fields say that they read, and they themselves as they are stored. */
  record: EntityRecord
  /** As it was before this write, as far as that was read; null: it is new. Nothing was written where the values are only renewed. */
  before: EntityRecord | null
}

/** Works out derived fields (`x-derived.function`) of all records at once: for each, in their order, the values of the fields by name. */
export type DeriveFunction = (
  call: { db: Executor; now: Date; timeZone: string; entity: string },
  rows: readonly DerivedRow[],
) => Promise<readonly EntityRecord[]>

/** Values that were renewed: of how many records, and how many differ. */
export interface Renewed {
  /** entity.field */
  field: string
  label: Text
  rows: number
  changed: number
}
