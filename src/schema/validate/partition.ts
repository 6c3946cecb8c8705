import { pointer } from '../diagnosis'
import { fieldKind } from '../formats'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { Checker } from './checker'

/** Records in a table a day: the day is that of a required moment that never changes, and nothing is unique over all days. */
export const checkPartition = (checker: Checker, entity: EntityDocument, fields: ReadonlyMap<string, EntityField>): void => {
  const word = entity['x-partition']
  if (!word) return
  if (checker.field(fields, word.by, '/x-partition/by', entity.name)) {
    const by = fields.get(word.by)!
    const decides =
      fieldKind(by) === 'dateTime' && entity.required?.includes(word.by) && (by['x-immutable'] === true || by.readOnly === true)
    if (!decides)
      checker.add('field-kind-mismatch', '/x-partition/by', {
        zh: '分区须由必填且之后不变的时间字段决定。',
        en: 'The day is that of a required moment that does not change (x-immutable or readOnly).',
      })
  }
  word.exact?.forEach((name, index) => checker.field(fields, name, pointer('/x-partition/exact', index), entity.name))
  const single = [...fields].filter(([, field]) => field['x-unique'] === true || field['x-sequence'] !== undefined)
  if (single.length > 0 || entity['x-unique'] !== undefined || entity['x-effective'] !== undefined)
    checker.add('field-kind-mismatch', '/x-partition', {
      zh: `按天分区的记录不能有唯一字段、编号或生效期间${single[0] ? `（“${single[0][0]}”）` : ''}：数据库只在一天之内检查。`,
      en: `Records in a table a day have no unique fields, numbers or validity${single[0] ? ` ("${single[0][0]}")` : ''}: the database looks at one day only.`,
    })
}
