/** Records by the name of their entity. A name that is only known when the gateway runs gives the loose record. */
import type { BaseFields, EntityTypes } from '../../src/schema/generated/entities'
import type { EntityRecord } from './calls'

/** The entities of this product. */
export type EntityName = keyof EntityTypes

/** The fields of an interface as an object type, which may stand wherever a loose record may. */
export type Stored<Fields> = { [Field in keyof Fields]: Fields[Field] }

/** A record as it is stored: `RecordOf<'crm.customer'>`. */
export type RecordOf<Entity extends string> = Entity extends EntityName ? Stored<EntityTypes[Entity]> : EntityRecord

/** A record on its way to be stored: what has to be given may be missing still. */
export type DraftOf<Entity extends string> = Entity extends EntityName ? Draft<EntityTypes[Entity]> : EntityRecord
type Draft<Fields> = { [Field in keyof Fields]: Field extends keyof BaseFields ? Fields[Field] : Fields[Field] | null }

/** What may be given of a record: any of its fields, its lines among them. */
export type GivenOf<Entity extends string> = Entity extends EntityName ? Given<EntityTypes[Entity]> : EntityRecord
type Given<Fields> = { [Field in keyof Fields]?: GivenValue<Fields[Field]> | null }
type GivenValue<Value> = Value extends readonly (infer Item)[]
  ? Item extends BaseFields
    ? readonly Given<Item>[]
    : readonly Item[]
  : Value

/** The name of a field of an entity. */
export type FieldOf<Entity extends string> = Entity extends EntityName ? keyof EntityTypes[Entity] & string : string
