import { pointer } from '../diagnosis'
import { allFields } from '../entity/fields'
import { fieldKind } from '../formats'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { Checker } from './checker'
import { checkFixedWhere } from './fixedWhere'
import { checkAlone } from './place'

/** What a check writes down. */
const LOGGED = ['checkedById', 'input', 'hits', 'decision', 'appealNote', 'at']

type Fields = ReadonlyMap<string, EntityField>
const fieldsOf = (entity: EntityDocument): Fields => new Map(allFields(entity).map(({ name, field }) => [name, field]))

/** How duplicates are recognised: fields of texts, people that refer to the record, what keeps the checks. */
export const checkDuplicates = (checker: Checker, entity: EntityDocument, fields: Fields): void => {
  const word = entity['x-duplicates']
  if (!word) return
  const at = '/x-duplicates'
  const known = (of: EntityDocument, among: Fields, names: Readonly<Record<string, string | undefined>>, under: string): void => {
    for (const [step, name] of Object.entries(names))
      if (name !== undefined) checkText(checker, among, name, `${under}/${step}`, of.name)
  }
  const { name, code, country, website, reason, like } = word
  known(entity, fields, { name, code, country, website, reason, like, ...listed('numbers', word.numbers) }, at)
  word.tell?.forEach((told, index) => checker.field(fields, told, pointer(at, 'tell', index), entity.name))
  if (like !== undefined && fields.get(like)?.['x-ref'] !== entity.name && fields.has(like))
    checker.add('field-kind-mismatch', pointer(at, 'like'), {
      zh: `“${like}”须引用本实体：它保存疑似相同的那条记录。`,
      en: `"${like}" has to refer to this entity: it keeps the record that is alike.`,
    })
  checkFixedWhere(checker, entity, fields, word.while, pointer(at, 'while'))
  checkAlone(checker, entity, 'duplicates', word.link, pointer(at, 'link'))
  word.hints?.forEach(({ when, message }, index) => {
    checkAlone(checker, entity, 'duplicates', when, pointer(at, 'hints', index, 'when'))
    for (const locale of ['zh', 'en'] as const)
      checkAlone(checker, entity, 'duplicates', message[locale], pointer(at, 'hints', index, 'message', locale))
  })
  if (word.log !== undefined) {
    checker.entity(word.log, pointer(at, 'log'))
    const log = checker.catalog.entities.get(word.log)
    if (log) for (const kept of LOGGED) checker.field(fieldsOf(log), kept, pointer(at, 'log'), log.name)
  }
  const { people } = word
  if (!people) return
  const dot = people.of.lastIndexOf('.')
  const [name_, parent] = [people.of.slice(0, dot), people.of.slice(dot + 1)]
  checker.entity(name_, pointer(at, 'people', 'of'))
  const rows = checker.catalog.entities.get(name_)
  if (!rows) return
  const own = fieldsOf(rows)
  if (checker.field(own, parent, pointer(at, 'people', 'of'), name_) && own.get(parent)?.['x-ref'] !== entity.name)
    checker.add('field-kind-mismatch', pointer(at, 'people', 'of'), {
      zh: `“${people.of}”没有引用本实体。`,
      en: `"${people.of}" does not refer to this entity.`,
    })
  known(rows, own, { mail: people.mail, ...listed('phones', people.phones) }, pointer(at, 'people'))
}

const listed = (under: string, names: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(names.map((name, index) => [`${under}/${index}`, name]))

function checkText(checker: Checker, fields: Fields, name: string, at: string, entity: string): void {
  if (!checker.field(fields, name, at, entity)) return
  const field = fields.get(name)!
  if (field.type !== 'string' || field['x-virtual'] || field['x-derived'] || fieldKind(field) === 'date')
    checker.add('field-kind-mismatch', at, {
      zh: `“${name}”不是存储的文本，不能用于查重。`,
      en: `"${name}" is not a stored text, so that nothing is compared by it.`,
    })
}
