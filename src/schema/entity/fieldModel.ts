import type { CompiledExpression } from '../expression'
import { fieldKind } from '../formats'
import type { EntityField } from '../generated/entity'
import type { FieldKind } from '../model'
import type { BilingualText } from '../problem'
import type { Derivation } from './derived'
import { columnName, type FieldOrigin } from './fields'
import type { Sequence } from './sequence'

/** A field with what follows from its definition, for gateway and pages; a `PageField` is one in the words of a viewer. */
export interface FieldModel {
  readonly name: string
  readonly field: EntityField
  readonly kind: FieldKind
  readonly origin: FieldOrigin
  readonly column: string
  readonly label: BilingualText
  readonly required: boolean
  /**
   * stored: has a column; computed: an expression over other fields; virtual: filled, or turned into rows, by the entity's service;
   * lines: rows of another entity that are saved with the record.
   */
  readonly storage: 'stored' | 'computed' | 'virtual' | 'lines'
  readonly internal: boolean
  /** Holds several values (a JSON list). */
  readonly many: boolean
  readonly computed?: CompiledExpression
  /** Follows other fields and is stored. */
  readonly derivation?: Derivation
  /** Kept by the gateway from other values: nobody sets it, and it is no change of its record. */
  readonly kept: boolean
  /** Of a sum that stands on a row of its own: what that row calls it, `entity.field`. */
  readonly hot?: string
  readonly sequence?: Sequence
}

/** What a definition alone says of a field. `computed`: it is worked out when it is read, as others of its entity decide. */
export function fieldModel(
  name: string,
  field: EntityField,
  { origin = 'own', required, computed }: { origin?: FieldOrigin; required: boolean; computed: boolean },
): FieldModel {
  return {
    name,
    field,
    kind: fieldKind(field),
    origin,
    column: columnName(name),
    label: field['x-label'],
    // nobody can fill in what no form shows any more, or what the portal numbers
    required: required && !field['x-retired'] && field['x-sequence'] === undefined,
    storage: computed ? 'computed' : storageOf(field),
    internal: field['x-internal'] === true,
    many: field.type === 'array',
    kept: (field['x-derived'] !== undefined && !computed) || field['x-rollup'] !== undefined,
  }
}

function storageOf(field: EntityField): FieldModel['storage'] {
  if (field['x-lines']) return 'lines'
  return field['x-virtual'] || field['x-condition'] ? 'virtual' : 'stored'
}
