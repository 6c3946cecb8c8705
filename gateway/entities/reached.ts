import type { EntityModel } from '../../src/schema/entity'
import type { RequestContext } from '../platform/http'

/** What somebody may do, and who he is: as much of a call as row scopes read. */
export type Rights = Pick<RequestContext, 'permissions' | 'scopes' | 'fieldRules' | 'user'>

/** Rows that are seen or changed, or that a pool view opens (`pool:` and its id). */
export type RowsOf = 'seen' | 'changed' | `pool:${string}`

/** Which rows people reach as the entities stand, and as they would stand with other documents. */
export interface Reach {
  /** An entity as it stands, and as it would. */
  models(entity: string): { before: EntityModel | undefined; after: EntityModel | undefined }
  /** Whether the conditions of the rows of an entity are others for whoever has these rights: what is reached through them follows. */
  isReachedOtherwise(entity: string, rights: Rights): boolean
  /** Of these entities those whose rows are reached otherwise by somebody with such rights, and those that are reached through them. */
  concerned(changed: ReadonlySet<string>, people: readonly Rights[]): string[]
  /** Rows of an entity that may be more for whoever has these rights; of an entity that is new there are none yet. */
  widened(entity: string, rights: Rights): RowsOf[]
  /** How much whoever has these rights sees of an entity as it would stand. */
  sees(entity: string, rights: Rights): 'nothing' | 'some' | 'all'
  /** How many rows somebody reaches now and would then, at most 100,001; undefined where a field that decides is not there yet. */
  count(entity: string, rights: Rights, rows: RowsOf): Promise<{ before: number; after: number } | undefined>
}
