import { pointer } from '../diagnosis'
import { fieldKind } from '../formats'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { Checker } from './checker'
import { checkFixedWhere } from './fixedWhere'

/** Rows that hold from a time until another: both ends of one kind, a key of plain values, conditions that the database holds. */
export const checkEffective = (checker: Checker, entity: EntityDocument, fields: ReadonlyMap<string, EntityField>): void => {
  const word = entity['x-effective']
  if (!word) return
  const kindOf = (name: string, at: string): string | undefined =>
    checker.field(fields, name, at, entity.name) ? fieldKind(fields.get(name)!) : undefined
  const from = kindOf(word.from, '/x-effective/from')
  const until = kindOf(word.until, '/x-effective/until')
  if (from !== undefined && from !== 'date' && from !== 'dateTime')
    checker.add('field-kind-mismatch', '/x-effective/from', {
      zh: '有效期须由日期或时间字段决定。',
      en: 'Rows hold from a date or a moment.',
    })
  else if (from !== undefined && until !== undefined && from !== until)
    checker.add('field-kind-mismatch', '/x-effective/until', {
      zh: '有效期的两端须是同一种字段：都是日期，或都是时间。',
      en: 'Both ends have to be of one kind: dates, or moments.',
    })
  if (entity.required?.includes(word.until) && word.insert === 'endPrevious')
    checker.add('field-kind-mismatch', '/x-effective/until', {
      zh: '新行结束旧行时，结束字段不能是必填：当前行还没有结束。',
      en: 'Where a new row ends the one before it the end cannot be required: the present one has none yet.',
    })
  word.key.forEach((name, index) => {
    const at = pointer('/x-effective/key', index)
    const kind = kindOf(name, at)
    const field = fields.get(name)
    if (kind === 'dateTime' || kind === 'json' || field?.type === 'array' || field?.['x-virtual'])
      checker.add('field-kind-mismatch', at, {
        zh: `“${name}”不能作为有效期的键：须是单个存储的值，且不是时间。`,
        en: `"${name}" cannot be a part of the key: that has to be a single stored value, and no moment.`,
      })
  })
  checkFixedWhere(checker, entity, fields, word.while, '/x-effective/while')
}
