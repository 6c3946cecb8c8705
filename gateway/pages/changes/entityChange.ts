import { diagnose, pointer } from '../../../src/schema/diagnosis'
import { fieldKind } from '../../../src/schema/formats'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { Problem } from '../../../src/schema/problem'

/** An admin's change of an entity never destroys stored data: a field is retired, not removed, and stays of its kind. */
export function checkEntityChange(before: EntityDocument, after: EntityDocument, where: string): Problem[] {
  return Object.entries(before.properties).flatMap(([name, field]) => {
    const now = after.properties[name]
    const at = pointer('/properties', name)
    const label = field['x-label']
    if (!now) {
      return [
        diagnose(
          'unknown-field',
          { where, at },
          {
            zh: `字段“${label.zh}”里有数据，不能移除。请改为停用（x-retired），它会保留，也可以恢复。`,
            en: `The field "${label.en}" holds data and cannot be removed. Retire it instead (x-retired): it is kept and can come back.`,
          },
        ),
      ]
    }
    if (fieldKind(now) === fieldKind(field) && now['x-ref'] === field['x-ref']) return []
    return [
      diagnose(
        'field-kind-mismatch',
        { where, at },
        {
          zh: `字段“${label.zh}”已有数据，类型不能再改。请新增一个字段。`,
          en: `The field "${label.en}" holds data: its kind cannot be changed any more. Add a new field instead.`,
        },
      ),
    ]
  })
}
