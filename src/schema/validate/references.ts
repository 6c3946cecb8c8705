import { pointer } from '../diagnosis'
import type { EntityField } from '../generated/entity'
import type { Checker } from './checker'

/** What happens to a reference when its record is deleted: only a reference has it, and a list is never deleted for one of its entries. */
export const checkOnDelete = (checker: Checker, field: EntityField, required: boolean, at: string): void => {
  const policy = field['x-onDelete']
  if (policy === undefined) return
  const here = pointer(at, 'x-onDelete')
  if (field['x-ref'] === undefined)
    checker.add('field-kind-mismatch', here, {
      zh: 'x-onDelete 只能用于引用字段。',
      en: 'Only a reference says what happens when its record is deleted.',
    })
  if (policy === 'cascade' && field.type === 'array')
    checker.add('field-kind-mismatch', here, {
      zh: '引用列表不能用 cascade：删除其中一条时，其余的仍然有效；可用 restrict 或 clear。',
      en: 'A list of references cannot cascade: the others of the list still stand; use restrict or clear.',
    })
  if (policy === 'clear' && required)
    checker.add('field-kind-mismatch', here, {
      zh: '必填的引用不能用 clear：清空后记录不再完整；可用 restrict 或 cascade。',
      en: 'A required reference cannot be cleared, the record would be incomplete; use restrict or cascade.',
    })
}
