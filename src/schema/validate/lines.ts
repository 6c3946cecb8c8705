import { pointer } from '../diagnosis'
import { allFields, isLine } from '../entity/fields'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { Checker } from './checker'

/** Lines of lines; below them a document is no document any more. */
const DEEPEST = 2

/** Fields that hold lines, and entities whose rows are lines. */
export const checkLines = (checker: Checker, entity: EntityDocument): void => {
  for (const [name, field] of Object.entries(entity.properties))
    if (field['x-lines']) checkField(checker, entity, field, pointer('/properties', name))
  if (!isLine(entity)) return
  if (entity['x-service'] !== undefined)
    mismatch(
      checker,
      '/x-service',
      '明细行按自己的规则检查，服务的钩子对它们不起作用，请删除 x-service。',
      'Lines are checked by their rules; hooks of a service do not run for them. Take x-service out.',
    )
  const position = entity.properties.position
  if (position && position.type !== 'integer')
    mismatch(
      checker,
      '/properties/position/type',
      'position 是明细行的行号，须为整数。',
      'position is the place of a line among its siblings: an integer.',
    )
}

function checkField(checker: Checker, entity: EntityDocument, field: EntityField, at: string): void {
  const { entity: name, parent } = field['x-lines']!
  const here = pointer(at, 'x-lines')
  if (field.type !== 'array')
    mismatch(checker, pointer(at, 'type'), '明细字段的类型须为 array。', 'A field of lines is of type array.')
  if (field['x-filter'] || field['x-search'] || field['x-list'])
    mismatch(
      checker,
      at,
      '明细字段不能作为列表的列，也不能筛选或搜索。',
      'A field of lines is no column of a list, and can be neither filtered nor searched.',
    )
  checker.entity(name, pointer(here, 'entity'))
  const lines = checker.catalog.entities.get(name)
  if (!lines) return
  const fields = new Map(allFields(lines).map((each) => [each.name, each.field]))
  if (!checker.field(fields, parent, pointer(here, 'parent'), name)) return
  if (fields.get(parent)?.['x-ref'] !== entity.name)
    mismatch(
      checker,
      pointer(here, 'parent'),
      `“${name}”的字段“${parent}”须引用“${entity.name}”。`,
      `The field "${parent}" of "${name}" has to refer to "${entity.name}".`,
    )
  const scope = lines['x-scope']
  if (!isLine(lines) || typeof scope !== 'object' || !('parent' in scope) || scope.parent !== parent)
    mismatch(
      checker,
      pointer(here, 'entity'),
      `“${name}”的 x-scope 须为 { "parent": "${parent}", "line": true }。`,
      `The x-scope of "${name}" has to be { "parent": "${parent}", "line": true }.`,
    )
  if (depthOf(checker, lines, new Set([entity.name])) >= DEEPEST)
    mismatch(
      checker,
      pointer(here, 'entity'),
      '明细最多两层：明细行可以有自己的明细，但不能再往下。',
      'Lines go two levels deep: a line may have lines, those may not.',
    )
}

/** Levels of lines below an entity. A circle is bottomless. */
function depthOf(checker: Checker, entity: EntityDocument, above: ReadonlySet<string>): number {
  if (above.has(entity.name)) return DEEPEST
  const within = new Set([...above, entity.name])
  const below = Object.values(entity.properties).flatMap((field) => {
    const lines = checker.catalog.entities.get(field['x-lines']?.entity ?? '')
    return lines ? [1 + depthOf(checker, lines, within)] : []
  })
  return Math.max(0, ...below)
}

function mismatch(checker: Checker, at: string, zh: string, en: string): void {
  checker.add('field-kind-mismatch', at, { zh, en })
}
