import { isReference } from '../entity/derived'
import { allFields } from '../entity/fields'
import { namesAt, type Place } from '../entity/names'
import { dependencies, isExpression, parseExpression } from '../expression'
import type { EntityDocument } from '../generated/entity'
import type { Checker } from './checker'

/** An expression at a place where the engine has the record alone: the names that it gives there, and nothing behind references. */
export function checkAlone(checker: Checker, entity: EntityDocument, place: Place, text: unknown, at: string): void {
  checker.expression(text, at, namesAt(place, entity))
  if (!isExpression(text)) return
  const parsed = parseExpression(text)
  if (!parsed.ok) return
  const references = new Set(allFields(entity).flatMap(({ name, field }) => (isReference(field) ? [name] : [])))
  for (const path of dependencies(parsed.expression)) {
    const [first = '', second] = path.split('.')
    if (second !== undefined && references.has(first))
      checker.add('field-kind-mismatch', at, {
        zh: `此处“${first}”只是所引用记录的编号，读不到“${path}”。请用 x-derived 把它存为本实体的字段，再读该字段。`,
        en: `Here "${first}" is the id of the record that it refers to, and "${path}" cannot be read. Keep it in a field of this entity (x-derived), and read that field.`,
      })
  }
}
