import { pointer } from '../diagnosis'
import { allFields } from '../entity/fields'
import type { Condition, EntityDocument, EntityField, Participant } from '../generated/entity'
import type { Checker } from './checker'
import { checkFixed } from './fixedWhere'

type Fields = ReadonlyMap<string, EntityField>

/** Who takes part in a record: people that fields name, fixed conditions, keys, and records through which it goes. */
export const checkParticipants = (checker: Checker, entity: EntityDocument, fields: Fields): void => {
  const entries = entity['x-participants'] ?? []
  checker.unique(
    entries.map(({ id }) => id),
    '/x-participants',
    'id',
  )
  entries.forEach((entry, index) => checkEntry(checker, entity, fields, entry, pointer('/x-participants', index)))
}

function checkEntry(checker: Checker, entity: EntityDocument, fields: Fields, entry: Participant, at: string): void {
  const { people, through, permission, where } = entry
  checker.permission(permission, pointer(at, 'permission'))
  if (!people && through === undefined && permission === undefined)
    checker.add('field-kind-mismatch', at, {
      zh: '须说明谁参与：people、through 或 permission。',
      en: 'It has to say who takes part: people, through or permission.',
    })
  let rows = { entity, fields }
  if (typeof through === 'string') target(checker, entity, fields, through, pointer(at, 'through'))
  else if (through) {
    checker.entity(through.rows, pointer(at, 'through', 'rows'))
    checker.field(fields, through.same, pointer(at, 'through', 'same'), entity.name)
    const other = checker.catalog.entities.get(through.rows)
    if (!other) return
    rows = { entity: other, fields: fieldsOf(other) }
    checker.field(rows.fields, through.field, pointer(at, 'through', 'field'), other.name)
  }
  people?.forEach((person, index) => {
    const here = pointer(at, 'people', index)
    if (person === 'owner' || (typeof person === 'object' && 'field' in person))
      checkPerson(checker, rows.entity, rows.fields, person === 'owner' ? 'ownerId' : person.field, here)
    else if (typeof person === 'object' && 'path' in person) checkPerson(checker, rows.entity, rows.fields, person.path, here)
    else if (person !== 'creator' && !(typeof person === 'object' && 'role' in person))
      checker.add('field-kind-mismatch', here, {
        zh: '参与者须是创建人、负责人、字段或路径所指的人，或角色。',
        en: 'Who takes part is the creator, the owner, whom a field or a path names, or who has a role.',
      })
  })
  where?.forEach((condition, index) => checkCondition(checker, rows.entity, rows.fields, condition, pointer(at, 'where', index)))
}

const fieldsOf = (entity: EntityDocument): Fields => new Map(allFields(entity).map(({ name, field }) => [name, field]))

/** The entity behind a reference, with a problem where there is none. */
function target(checker: Checker, entity: EntityDocument, fields: Fields, name: string, at: string): EntityDocument | undefined {
  if (!checker.field(fields, name, at, entity.name)) return undefined
  const field = fields.get(name)!
  if (field['x-ref'] === undefined || field.type === 'array') {
    checker.add('field-kind-mismatch', at, { zh: `“${name}”不是引用字段。`, en: `"${name}" is not a reference.` })
    return undefined
  }
  return checker.catalog.entities.get(field['x-ref'])
}

function checkPerson(checker: Checker, entity: EntityDocument, fields: Fields, path: string, at: string): void {
  const dot = path.indexOf('.')
  if (dot > 0) {
    const next = target(checker, entity, fields, path.slice(0, dot), at)
    if (next) checkPerson(checker, next, fieldsOf(next), path.slice(dot + 1), at)
    return
  }
  if (!checker.field(fields, path, at, entity.name)) return
  const named = fields.get(path)!['x-ref']
  if (named !== 'sys.staff' && named !== 'sys.department')
    checker.add('field-kind-mismatch', at, {
      zh: `“${path}”不指向员工或部门。`,
      en: `"${path}" names no member of staff and no department.`,
    })
}

function checkCondition(checker: Checker, entity: EntityDocument, fields: Fields, condition: Condition, at: string): void {
  const dot = condition.field.indexOf('.')
  if (dot < 0) return checkFixed(checker, entity, fields, condition, at)
  const next = target(checker, entity, fields, condition.field.slice(0, dot), pointer(at, 'field'))
  if (next) checkCondition(checker, next, fieldsOf(next), { ...condition, field: condition.field.slice(dot + 1) }, at)
}
