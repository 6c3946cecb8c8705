import { sql, type SQL } from 'drizzle-orm'
import type { FieldModel } from '../../../src/schema/entity'
import { clauseSql } from '../clause'
import { columnSql } from '../tables'
import { filterField, stepBehind, type ConditionPlace } from './condition'

/** A field at the end of a path, its value in a statement that holds the joins, and where it is read. */
export interface PathValue {
  field: FieldModel
  place: ConditionPlace
  value: SQL
}

/**
 * Values behind references, read by joins on primary keys: one a step, however many values go through it. The rights of every step
 * hold, and of records out of the caller's reach there is no value, as in conditions and columns.
 */
export class Joins {
  private readonly steps = new Map<string, { place: ConditionPlace; join: SQL }>()

  constructor(private readonly root: ConditionPlace) {}

  /** @throws ServiceError 10010001 for what is not there or may not be asked for. */
  at(path: string): PathValue {
    const names = path.split('.')
    const last = names.pop()!
    let { root: place } = this
    for (const [index, name] of names.entries()) {
      const key = names.slice(0, index + 1).join('.')
      let step = this.steps.get(key)
      if (!step) {
        const reference = filterField(place, name)
        const {
          place: next,
          table,
          reach,
        } = stepBehind(place, reference, [...names.slice(index + 1), last].join('.'), `j${this.steps.size}`)
        this.steps.set(key, (step = { place: next, join: sql`left join ${table} on ${clauseSql(reach)}` }))
      }
      place = step.place
    }
    const field = filterField(place, last)
    return { field, place, value: columnSql(place.alias, field) }
  }

  /** To stand behind the table of the root. */
  get sql(): SQL {
    return sql.join([...this.steps.values()].map(({ join }) => join), sql` `) // prettier-ignore
  }
}
