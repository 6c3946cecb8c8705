import type { EntityModel, FieldModel } from '../../../src/schema/entity'

/** Whether a field has its value from the beginning and keeps it, but for a merge, which holds the row against everybody. */
export const neverChanges = ({ document }: EntityModel, { name, field }: FieldModel): boolean =>
  field['x-immutable'] === true && (document.required ?? []).includes(name)
