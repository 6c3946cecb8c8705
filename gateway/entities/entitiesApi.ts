/** The entities as services write them inside a transaction. */
import type { QuerySort, QueryWhere } from '../../src/schema/model'
import type { DuplicateHit } from '../duplicates'
import type { ServiceError } from '../platform/http'
import type { EntityRecord } from './calls'
import type { FieldOf, GivenOf, RecordOf } from './recordTypes'

/** What anybody may learn of a record that stands in the way of another: that it exists, and what `x-duplicates` tells. */
export type ToldDuplicate = Omit<DuplicateHit, 'facts'> & EntityRecord

export interface ChangeManyOptions {
  reason?: string
  /** Who changed the rows last, and when, stays: what they say is the same, they only belong to another record. */
  keepTime?: boolean
  /** Deleted rows are meant, e.g. to bring them back. */
  deleted?: boolean
}

/**
 * The entities for services, inside a running transaction and with the rights of the system: no scope, no masks, read-only
 * and internal fields may be set. Validation, hooks, states and the audit log (in the caller's name) hold all the same.
 */
export interface Entities {
  /** Whether there is such an entity: those of modules that are only used may be absent. */
  has(entity: string): boolean
  /** One live row with all its stored fields, or null. With `lock` it is held until the transaction ends. */
  find<Entity extends string>(entity: Entity, id: string, options?: { lock?: boolean }): Promise<RecordOf<Entity> | null>
  /** Live rows that meet the conditions; at most 1,000 unless `limit` says otherwise. */
  list<Entity extends string>(
    entity: Entity,
    options?: { where?: readonly QueryWhere[]; sort?: readonly QuerySort[]; limit?: number; lock?: boolean },
  ): Promise<RecordOf<Entity>[]>
  count(entity: string, where?: readonly QueryWhere[]): Promise<number>
  /** Inserts (without the `id` of a stored record) or changes a record; answers the stored row. `checked`: by services and for duplicates, as if typed. */
  save<Entity extends string>(
    entity: Entity,
    values: GivenOf<Entity>,
    options?: { reason?: string; checked?: boolean },
  ): Promise<RecordOf<Entity>>
  /** What a record may be a duplicate of (`x-duplicates`), the surest first; nobody else saves one of its name meanwhile. */
  duplicates(entity: string, record: EntityRecord): Promise<readonly ToldDuplicate[]>
  /** A record that is not stored yet, with the keys that it is recognised by (`x-duplicates`). */
  keysOf(entity: string, record: EntityRecord): EntityRecord
  /** Many new rows at once, without hooks, checks, automatic transitions and audit: for the demo world and migrations. Every row needs an `id`. */
  insertMany<Entity extends string>(entity: Entity, records: readonly GivenOf<Entity>[]): Promise<void>
  /** Saves many new records at once, each with all checks, effects and history. Answers them as stored. @throws the first refusal */
  createMany<Entity extends string>(entity: Entity, records: readonly GivenOf<Entity>[]): Promise<readonly RecordOf<Entity>[]>
  /**
   * Changes fields of many stored rows at once (id -> values), each with its version and its audit row, without hooks and checks:
   * for whoever has decided. A `deletedAt` deletes. Rows that are gone or do not differ are left. Answers how many changed.
   */
  changeMany<Entity extends string>(
    entity: Entity,
    changes: ReadonlyMap<string, GivenOf<Entity>>,
    options?: ChangeManyOptions,
  ): Promise<number>
  /** Performs a transition; guards hold, permissions do not. Answers the stored row. */
  transition<Entity extends string>(
    entity: Entity,
    id: string,
    transition: string,
    values?: EntityRecord,
    options?: { field?: string; reason?: string },
  ): Promise<RecordOf<Entity>>
  /**
   * Takes many records through a transition at once, in a number of statements that does not grow with them; `values` are those of
   * each. Refusals hold, `by` and permissions do not. Answers why records did not take it, by id; those that are gone are left out.
   */
  transitions<Entity extends string>(
    entity: Entity,
    ids: readonly string[],
    transition: string,
    values?: (record: RecordOf<Entity>) => EntityRecord,
    options?: { field?: string; reason?: string },
  ): Promise<ReadonlyMap<string, ServiceError>>
  remove(entity: string, id: string, options?: { reason?: string }): Promise<void>
  /** What running records forbid to some of these (`x-forbids`), by id, as it is answered; all asked at once. */
  forbidden(entity: string, ids: readonly string[]): Promise<ReadonlyMap<string, ServiceError>>
  /** Whatever a person owns goes along to his department: a copy that follows, so neither versions nor history change. Answers the rows. */
  followDepartment(staffId: string, departmentId: string | null): Promise<number>
  /** The next numbers of a pattern field, e.g. customer codes. */
  numbers<Entity extends string>(entity: Entity, field: FieldOf<Entity>, count?: number): Promise<string[]>
}
