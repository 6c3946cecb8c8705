import { sql } from 'drizzle-orm'
import { referenceOf, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import { isExpression } from '../../../src/schema/expression'
import type { QueryCondition } from '../../../src/schema/model'
import { queryOf } from '../../../src/schema/where'
import type { RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import { allOf, anyOf, clauseSql, textArray, type Clause } from '../clause'
import type { Core } from '../core'
import { RowScope } from '../query/scope'
import { termSql } from '../query/where'
import { storageOf } from '../storage'
import { columnSql, tableSql, uniqueKeys } from '../tables'
import { cellShown, type FileCell } from './sheetRows'

/** Finds referenced records by what people write into tables: a title, a code, a job number, "name (job number)", an id. */
export class ImportReferences {
  /** field -> written text -> ids. */
  private readonly found = new Map<string, Map<string, Set<string>>>()

  constructor(
    private readonly core: Core,
    private readonly context: RequestContext,
    private readonly model: EntityModel,
  ) {}

  /** Ids for a text in a field, after `prepare` has looked it up. */
  of(field: FieldModel, text: string): readonly string[] {
    return [...(this.found.get(field.name)?.get(text.toLowerCase()) ?? [])]
  }

  /** Looks up all texts of a batch, one statement a field. */
  async prepare(field: FieldModel, cells: readonly FileCell[]): Promise<void> {
    const entity = referenceOf(field)
    const target = entity === undefined ? undefined : this.core.registry.find(entity)
    if (!target) return
    const known = this.found.get(field.name) ?? new Map<string, Set<string>>()
    this.found.set(field.name, known)
    const written = new Map<string, string[]>()
    for (const cell of cells) {
      const whole = cell instanceof Date || typeof cell === 'boolean' ? '' : cellShown(cell)
      for (const text of field.many ? [whole, ...whole.split(/[,，、;；|\n]/)] : [whole]) {
        const word = text.trim()
        if (word !== '' && word.length <= 250 && !word.includes('\u0000') && !known.has(word.toLowerCase()))
          written.set(word.toLowerCase(), wordsIn(word))
      }
    }
    if (written.size === 0) return
    const byWord = await this.lookUp(field, target, [...new Set([...written.values()].flat())])
    for (const [text, words] of written) {
      // the whole text first; "王伟 (S0042)" is then found by what stands in brackets
      const hits = words.map((word) => byWord.get(word)).find((ids) => ids !== undefined)
      known.set(text, hits ?? new Set())
    }
  }

  private async lookUp(field: FieldModel, target: EntityModel, words: readonly string[]): Promise<Map<string, Set<string>>> {
    const names = new Set([
      'id',
      target.titleField,
      ...uniqueKeys(target)
        .filter(({ fields, where }) => fields.length === 1 && !where)
        .flatMap(({ fields }) => fields),
      ...titleParts(target),
    ])
    const access = accessOf(target, this.context)
    const fields = [...names]
      .map((name) => target.fields.get(name))
      .filter(
        (each) =>
          each !== undefined &&
          each.storage === 'stored' &&
          storageOf(each) === 'text' &&
          (each.name === 'id' || access.readable(each.name)),
      ) as FieldModel[]
    const columns = fields.map((each) => sql`${columnSql('t', each)} as ${sql.identifier(each.name)}`)
    const list = textArray(words)
    const { rows } = await this.core.database.query<Record<string, string | null>>(
      sql`select ${sql.join(columns, sql`, `)} from ${tableSql(target, 't')} where ${clauseSql(allOf([this.reach(field, target), anyOf(fields.map((each) => (each.name === 'id' ? sql`${columnSql('t', each)} = any(${list})` : sql`lower(${columnSql('t', each)}) = any(${list})`)))]))} limit 20000`,
    )
    const wanted = new Set(words)
    const byWord = new Map<string, Set<string>>()
    for (const row of rows) {
      for (const each of fields) {
        const word = row[each.name]?.toLowerCase()
        if (word === undefined || !wanted.has(word)) continue
        byWord.set(word, (byWord.get(word) ?? new Set()).add(row.id!))
      }
    }
    return byWord
  }

  /** Live rows that the caller may choose for the field. */
  private reach(field: FieldModel, target: EntityModel): Clause {
    const scope = new RowScope(this.core.registry, this.context)
    const asParent = this.model.scope.kind === 'parent' && this.model.scope.field === field.name
    const queried = {
      model: target,
      alias: 't',
      locale: this.context.locale,
      timeZone: this.core.registry.timeZone,
      searchable: () => true,
      internal: true,
    }
    const filters = queryOf(field.field['x-refFilter'], (condition) =>
      isExpression(condition.value) ? null : (condition as QueryCondition),
    )
    return allOf([
      sql`${columnSql('t', { column: 'deleted_at' })} is null`,
      asParent ? scope.parentOf(this.model)(target, 't') : scope.readable(target, 't'),
      ...filters.map((filter) => termSql(queried, filter)),
    ])
  }
}

function wordsIn(text: string): string[] {
  const bracketed = /[(（]([^()（）]+)[)）]\s*$/.exec(text)?.[1]?.trim()
  return [text.toLowerCase(), ...(bracketed ? [bracketed.toLowerCase()] : [])]
}

/** Fields of the title and of the quick search that are numbers of a kind (code, jobNumber): what people write for a record. */
function titleParts(target: EntityModel): string[] {
  return [
    ...target.titleFields,
    ...target.stored.filter((each) => each.field['x-search'] && each.field['x-unique']).map((each) => each.name),
  ]
}
