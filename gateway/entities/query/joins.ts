import { sql, type SQL } from 'drizzle-orm'
import type { FieldModel } from '../../../src/schema/entity'
import { clauseSql } from '../clause'
import { columnSql } from '../tables'
import { filterField, stepBehind, type QueriedTable } from './condition'

/** A field at the end of a path, its value in a statement that holds the joins, and where it is read. */
export interface PathValue {
  field: FieldModel
  queried: QueriedTable
  value: SQL
}

/**
 * Values behind references, read by joins on primary keys: one a step, however many values go through it. The rights of every step
 * hold, and of records out of the caller's reach there is no value, as in conditions and columns.
 */
export class Joins {
  private readonly steps = new Map<string, { queried: QueriedTable; join: SQL }>()

  constructor(private readonly root: QueriedTable) {}

  /** @throws ServiceError 10010001 for what is not there or may not be asked for. */
  at(path: string): PathValue {
    const names = path.split('.')
    const last = names.pop()!
    let { root: queried } = this
    for (const [index, name] of names.entries()) {
      const key = names.slice(0, index + 1).join('.')
      let step = this.steps.get(key)
      if (!step) {
        const reference = filterField(queried, name)
        const {
          queried: next,
          table,
          reach,
        } = stepBehind(queried, reference, [...names.slice(index + 1), last].join('.'), `j${this.steps.size}`)
        this.steps.set(key, (step = { queried: next, join: sql`left join ${table} on ${clauseSql(reach)}` }))
      }
      queried = step.queried
    }
    const field = filterField(queried, last)
    return { field, queried, value: columnSql(queried.alias, field) }
  }

  /** To stand behind the table of the root. */
  get sql(): SQL {
    return sql.join(
      [...this.steps.values()].map(({ join }) => join),
      sql` `,
    )
  }
}
