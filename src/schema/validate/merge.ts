import { pointer } from '../diagnosis'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { Checker } from './checker'
import { checkAlone } from './place'

/** Merging: a pointer to the entity itself, fields that are there, refusals over both records. */
export const checkMerge = (checker: Checker, entity: EntityDocument, fields: ReadonlyMap<string, EntityField>): void => {
  const isField = (name: string, at: string): boolean => checker.field(fields, name, at, entity.name)
  for (const [name, field] of Object.entries(entity.properties)) {
    const word = field['x-onMerge']
    const at = pointer('/properties', name, 'x-onMerge')
    if (word !== undefined && field['x-ref'] === undefined)
      checker.add('field-kind-mismatch', at, { zh: 'x-onMerge 只能用于引用字段。', en: 'Only a reference follows a merge.' })
    if (typeof word === 'object') for (const joined of Object.keys(word.join)) isField(joined, pointer(at, 'join', joined))
  }
  const word = entity['x-merge']
  if (!word) return
  checker.permission(word.permission, '/x-merge/permission')
  if (isField(word.into, '/x-merge/into') && fields.get(word.into)?.['x-ref'] !== entity.name)
    checker.add('field-kind-mismatch', '/x-merge/into', {
      zh: `“${word.into}”须引用本实体。`,
      en: `"${word.into}" has to refer to this entity.`,
    })
  for (const list of ['choose', 'never', 'lists'] as const)
    word[list]?.forEach((name, index) => isField(name, pointer('/x-merge', list, index)))
  for (const name of Object.keys(word.facts ?? {})) isField(name, pointer('/x-merge/facts', name))
  word.refuse?.forEach(({ when, message }, index) => {
    checkAlone(checker, entity, 'merge', when, pointer('/x-merge/refuse', index, 'when'))
    for (const locale of ['zh', 'en'] as const)
      checkAlone(checker, entity, 'merge', message[locale], pointer('/x-merge/refuse', index, 'message', locale))
  })
}
