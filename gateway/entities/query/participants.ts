import { sql } from 'drizzle-orm'
import { referenceOf, type EntityModel } from '../../../src/schema/entity'
import type { Condition, Participant } from '../../../src/schema/generated/entity'
import { can, type RequestContext } from '../../platform/http'
import { allOf, anyOf, clauseSql, ofRow, textArray, type Clause } from '../clause'
import { fixedWhere } from '../fixedWhere'
import type { Registry } from '../registry'
import { columnSql, tableSql } from '../tables'

type Access = Participant['access']
type Person = NonNullable<Participant['people']>[number]

/** What deciding on participants asks the row scope for: rows that somebody has to himself, or in part. */
export interface PartInRows {
  registry: Registry
  context: RequestContext
  /** Rows that the caller owns, or has shared. */
  held(model: EntityModel, alias: string, access: Access): Clause
}

/** Rows in which the caller takes part (`x-participants`): to see them, or to act on them; with `only` by that entry alone. */
export const participantsClause = (part: PartInRows, model: EntityModel, alias: string, access: Access, only?: string): Clause =>
  byEntries(part, model, alias, access, ({ id }) => only === undefined || id === only)

/** Rows that name the caller. What a key alone opens, such as a catalogue, opens no records that refer to it. */
const namedClause = (part: PartInRows, model: EntityModel, alias: string, access: Access): Clause =>
  byEntries(part, model, alias, access, (entry) => !byKeyAlone(entry))

function byEntries(
  part: PartInRows,
  model: EntityModel,
  alias: string,
  access: Access,
  counts: (entry: Participant) => boolean,
): Clause {
  return anyOf(
    (model.document['x-participants'] ?? [])
      // a key alone lets act on what is seen already; it opens nothing
      .filter(
        (entry) => counts(entry) && (access === 'edit' ? entry.access === 'edit' : entry.access === 'read' || !byKeyAlone(entry)),
      )
      .map((entry) => entryClause(part, model, alias, entry, access)),
  )
}

/** Whether taking part in rows of an entity lets see them, whoever has its key or not. */
export const opensRows = (model: EntityModel): boolean =>
  (model.document['x-participants'] ?? []).some((entry) => entry.access === 'read' || !byKeyAlone(entry))

const byKeyAlone = ({ people, through }: Participant): boolean => !people && through === undefined

function entryClause(part: PartInRows, model: EntityModel, alias: string, entry: Participant, access: Access): Clause {
  const { registry, context } = part
  const { people, through, permission, where } = entry
  if (permission !== undefined && !can(context, permission)) return false
  if (typeof through === 'object') {
    const rows = registry.find(through.rows)
    const [own, same] = [rows?.fields.get(through.field), model.fields.get(through.same)]
    if (!rows || !own || !same) return false
    const inner = `${alias}_rows`
    const inside = allOf([live(inner), whom(part, rows, inner, people), ...conditions(registry, rows, inner, where)])
    return (
      inside !== false &&
      ofRow(
        `${alias}.${same.name} ${rows.name}.${own.name}`,
        inside,
        sql`${columnSql(alias, same)} in (select ${columnSql(inner, own)} from ${tableSql(rows, inner)} where ${clauseSql(inside)})`,
      )
    )
  }
  const there =
    through === undefined
      ? true
      : behind(registry, model, alias, through, (target, inner) =>
          anyOf([part.held(target, inner, access), namedClause(part, target, inner, access)]),
        )
  return allOf([there, people ? whom(part, model, alias, people) : true, ...conditions(registry, model, alias, where)])
}

const live = (alias: string): Clause => sql`${columnSql(alias, { column: 'deleted_at' })} is null`

/** Rows whose reference names a record that meets a condition. The records are looked for once, whatever the rows. */
function behind(
  registry: Registry,
  model: EntityModel,
  alias: string,
  name: string,
  condition: (target: EntityModel, alias: string) => Clause,
): Clause {
  const field = model.fields.get(name)
  const target = field && registry.find(referenceOf(field) ?? '')
  if (!target) return false
  const inner = `${alias}_part`
  const inside = allOf([live(inner), condition(target, inner)])
  return (
    inside !== false &&
    ofRow(
      `${alias}.${name} ${target.name}`,
      inside,
      sql`${columnSql(alias, field)} in (select ${columnSql(inner, { column: 'id' })} from ${tableSql(target, inner)} where ${clauseSql(inside)})`,
    )
  )
}

function conditions(registry: Registry, model: EntityModel, alias: string, where: readonly Condition[] = []): Clause[] {
  return where.map((condition): Clause => {
    const dot = condition.field.indexOf('.')
    if (dot < 0) return clauseSql(allOf(fixedWhere(model, [condition], alias)))
    const rest = { ...condition, field: condition.field.slice(dot + 1) }
    return behind(registry, model, alias, condition.field.slice(0, dot), (target, inner) =>
      allOf(conditions(registry, target, inner, [rest])),
    )
  })
}

function whom(part: PartInRows, model: EntityModel, alias: string, people: readonly Person[] = []): Clause {
  return anyOf(people.map((person) => personClause(part, model, alias, person)))
}

function personClause(part: PartInRows, model: EntityModel, alias: string, person: Person): Clause {
  const { context, registry } = part
  if (typeof person === 'object' && 'role' in person) return context.user.roleCodes.includes(person.role)
  const path = pathOf(person)
  const dot = path.indexOf('.')
  if (dot > 0)
    return behind(registry, model, alias, path.slice(0, dot), (target, inner) =>
      personClause(part, target, inner, { path: path.slice(dot + 1) }),
    )
  const field = model.fields.get(path)
  if (!field) return false
  const { staffId, deptIds } = context.user
  const ids = referenceOf(field) === 'sys.department' ? deptIds : [staffId].filter((id) => id !== '')
  if (ids.length === 0) return false
  const column = columnSql(alias, field)
  if (field.many) return sql`${column} ?| ${textArray(ids)}`
  return ids.length === 1 ? sql`${column} = ${ids[0]}` : sql`${column} = any(${textArray(ids)})`
}

function pathOf(person: Person): string {
  if (person === 'creator') return 'createdBy'
  if (person === 'owner') return 'ownerId'
  if (typeof person !== 'object') return ''
  if ('path' in person) return person.path
  return 'field' in person ? person.field : ''
}
