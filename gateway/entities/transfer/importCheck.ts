import { setImmediate as others } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { brokenRules, readValue, referenceOf, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import { formatOf, parseCell, type FormatContext } from '../../../src/schema/formats'
import type { RequestContext, ServiceError, Text } from '../../platform/http'
import { clauseSql } from '../clause'
import type { Core } from '../core'
import { OwnValues } from '../derive/own'
import { refusalsOf } from '../errors'
import { fieldProblem } from '../refusalTexts'
import { formatContext } from '../formatContext'
import { columnSql, tableSql, uniqueKeys } from '../tables'
import type { EntityRecord } from '../calls'
import { isEmpty, wrongCodes } from '../write/check'
import { newRecord } from '../write/newRecord'
import { countriesOfParents, isInternational, knowsCountry, parentCountryOf, type ParentCountry } from '../write/phoneCountry'
import type { ImportColumn } from './importColumns'
import { ImportReferences } from './importReferences'
import type { ImportProblem } from './importTypes'
import { cellShown, isFault, type FileCell, type FileRow } from './sheetRows'
import { columnLetter } from './xlsxWriter'

/** A row of the file as it would be saved, with everything that is wrong with it. */
export interface CheckedRow {
  row: number
  values: EntityRecord
  /** The cells as they were written, for the error file. */
  raw: string[]
  problems: ImportProblem[]
  /** A further row of the document above: what it says stands in the lines of the first. */
  follows?: true
}

const NO_COUNTRY: Text = {
  zh: '不知道电话号码属于哪个国家，请带国家码填写，例如 +8613800138000。',
  en: 'The country of this phone number is not known. Write it with its country code, such as +8613800138000.',
}
/** Rows that are checked before other calls get their turn. */
const AT_A_STRETCH = 50

/** Checks the rows of one file, batch by batch; remembers unique values, so that rows are checked against each other. */
export class ImportCheck {
  private readonly references: ImportReferences
  private readonly format: FormatContext
  /** National phone numbers are read as those of the row's country, else of the record's that the row belongs to. */
  private readonly country: FieldModel | undefined
  private readonly above: ParentCountry | undefined
  private readonly countryKnown: boolean
  private readonly countries = new Map<string, string>()
  private readonly countryFirst: readonly ImportColumn[]
  private readonly keys: readonly { parts: readonly FieldModel[]; seen: Map<string, number> }[]

  constructor(
    private readonly core: Core,
    private readonly context: RequestContext,
    private readonly model: EntityModel,
    private readonly columns: readonly ImportColumn[],
    /** Of lines: their reference to the record, which the file does not name. */
    private readonly parent?: string,
  ) {
    this.references = new ImportReferences(core, context, model)
    this.format = formatContext(core, context)
    this.country = columns.find((column) => column.field.kind === 'country')?.field
    this.above = parentCountryOf(core.registry, model)
    this.countryKnown = knowsCountry(core.registry, model)
    const first = ({ field }: ImportColumn): number => Number(field === this.country || field.name === this.above?.field)
    this.countryFirst = [...columns].sort((a, b) => first(b) - first(a))
    const given = new Set(columns.map((column) => column.field.name))
    this.keys = uniqueKeys(model)
      // whether a row meets conditions shows when it is saved
      .filter(({ fields, where }) => !where && fields.every((part) => given.has(part)))
      .map(({ fields }) => ({ parts: fields.map((part) => model.fields.get(part)!), seen: new Map() }))
  }

  /** Checks rows; `head` gives what a line belongs to. */
  async batch(rows: readonly FileRow[], head?: (row: FileRow) => EntityRecord): Promise<CheckedRow[]> {
    for (const column of this.columns)
      await this.references.prepare(
        column.field,
        rows.map((row) => row.cells[column.index] ?? null),
      )
    await this.readCountries(rows)
    const scope = this.ruleScope()
    const read: ReturnType<typeof this.read>[] = []
    for (const row of rows) {
      if (read.length % AT_A_STRETCH === 0) await others()
      read.push(this.read(row))
    }
    const own = new OwnValues({ core: this.core, tx: this.core.database, context: this.context, model: this.model })
    await own.load(read.map(({ record }) => record))
    const checked: CheckedRow[] = []
    for (const [index, { checked: one, record }] of read.entries()) {
      if (checked.length % AT_A_STRETCH === 0) await others()
      await own.follow(null, record)
      if (one.problems.length === 0)
        this.byRules(one, record, head ? { ...scope, scope: { ...scope.scope, head: head(rows[index]!) } } : scope)
      this.againstEachOther(one)
      checked.push(one)
    }
    await this.againstStored(checked)
    for (const { problems } of checked) problems.sort(byColumn)
    return checked
  }

  /** The cells of the columns that are imported. */
  asWritten({ cells }: FileRow): string[] {
    return this.columns.map((column) => cellShown(cells[column.index] ?? null))
  }

  /** How much of a row is refused by itself: cells that cannot be read and rules that it breaks, not what it leaves empty. */
  faultsOf(row: FileRow): number {
    const { checked, record } = this.read(row)
    checked.problems = checked.problems.filter(({ value }) => value !== null && value !== '')
    this.byRules(checked, record, this.ruleScope())
    return checked.problems.length
  }

  /** Adds why a service refused a row that was sound by itself: with the cells where it names them. `inWords` may reword a sentence. */
  refuse(checked: CheckedRow, error: ServiceError, inWords: (message: string) => string): void {
    for (const { field, message } of refusalsOf(error, this.context.locale)) this.note(checked, field, inWords(message))
    checked.problems.sort(byColumn)
  }

  private ruleScope(): Parameters<typeof brokenRules>[2] {
    const { registry } = this.core
    return { scope: registry.expressionScope(this.context), environment: registry.environment(this.context) }
  }

  /** How the cells of a row were understood, by field: for people, who know labels and titles and no codes. */
  inWords({ values, raw }: CheckedRow): Record<string, string> {
    return Object.fromEntries(
      this.columns.map(({ field }, index) => {
        const value = values[field.name]
        const understood = value !== undefined && value !== null && referenceOf(field) === undefined
        const format = { ...this.format, record: values }
        return [field.name, understood ? formatOf(field.kind).show(value, field.field, format) : (raw[index] ?? '')]
      }),
    )
  }

  /** The cells of a row as they are understood, and what is missing. */
  private read({ row, cells }: FileRow): { checked: CheckedRow; record: EntityRecord } {
    const checked: CheckedRow = {
      row,
      values: {},
      raw: this.asWritten({ row, cells }),
      problems: [],
    }
    for (const column of this.countryFirst) this.cell(checked, column, cells[column.index] ?? null)
    const wrong = new Set(checked.problems.map((problem) => problem.field))
    const record = newRecord(this.core, this.context, this.model, checked.values, 'import')
    Object.assign(record, checked.values)
    for (const field of this.model.stored) {
      if (field.name === this.parent) continue
      if (field.required && !field.kept && isEmpty(record[field.name]) && !wrong.has(field.name))
        this.add(checked, field.name, fieldProblem('required', field).message)
    }
    return { checked, record }
  }

  private byRules(checked: CheckedRow, record: EntityRecord, scope: Parameters<typeof brokenRules>[2]): void {
    for (const broken of brokenRules(this.model, record, scope)) this.add(checked, broken.field ?? null, broken.message)
  }

  private cell(checked: CheckedRow, { field }: ImportColumn, cell: FileCell): void {
    if (isFault(cell)) return this.add(checked, field.name, cell.problem)
    const findRef = (_entity: string, text: string): readonly string[] => this.references.of(field, text)
    const region = this.countryKnown ? this.countryOf(checked.values) : undefined
    const format = { ...this.format, findRef, record: checked.values, region }
    const parsed = parseCell(field.kind, cell, field.field, format)
    if ('message' in parsed) return this.add(checked, field.name, lacksCountry(field, cell, region) ? NO_COUNTRY : parsed.message)
    if (parsed.value === null) return
    const read = readValue(field, parsed.value)
    if ('problem' in read) return this.add(checked, field.name, read.problem)
    const [code] = wrongCodes(this.core.registry, field, read.value, null)
    if (code) return this.add(checked, field.name, code.message)
    checked.values[field.name] = read.value
  }

  /** Looks up the countries of the records that rows belong to. */
  private async readCountries(rows: readonly FileRow[]): Promise<void> {
    const { core, context, above } = this
    const column = above && this.columns.find(({ field }) => field.name === above.field)
    if (!above || !column) return
    const named = rows.flatMap(({ cells }) => this.references.of(column.field, cellShown(cells[column.index] ?? null).trim()))
    const ids = [...new Set(named)].filter((id) => !this.countries.has(id))
    const reading = { registry: core.registry, db: core.database, context, trusted: false }
    for (const [id, country] of await countriesOfParents(reading, above, ids)) this.countries.set(id, country)
  }

  private countryOf(values: EntityRecord): string | null {
    const own = this.country && values[this.country.name]
    if (typeof own === 'string') return own
    return this.above ? (this.countries.get(String(values[this.above.field])) ?? null) : null
  }

  private againstEachOther(checked: CheckedRow): void {
    for (const { parts, seen } of this.keys) {
      const key = keyOf(parts, checked.values)
      if (key === undefined) continue
      const earlier = seen.get(key)
      if (earlier === undefined) seen.set(key, checked.row)
      else this.add(checked, parts[0]!.name, { zh: `与第 ${earlier} 行重复。`, en: `It is the same as in row ${earlier}.` })
    }
  }

  private async againstStored(rows: readonly CheckedRow[]): Promise<void> {
    for (const { parts } of this.keys) {
      const withKey = rows.filter((row) => keyOf(parts, row.values) !== undefined)
      if (withKey.length === 0) continue
      const keys = withKey.map(
        (row) =>
          sql`(${sql.join(
            parts.map((part) => sql`${row.values[part.name]}`),
            sql`, `,
          )})`,
      )
      const columns = sql.join(
        parts.map((part) => sql`${columnSql('t', part)}`),
        sql`, `,
      )
      const named = sql.join(
        parts.map((part) => sql`${columnSql('t', part)} as ${sql.identifier(part.name)}`),
        sql`, `,
      )
      const live = clauseSql(sql`${columnSql('t', { column: 'deleted_at' })} is null`)
      const { rows: stored } = await this.core.database.query<EntityRecord>(
        sql`select ${named} from ${tableSql(this.model, 't')} where ${live} and (${columns}) in (${sql.join(keys, sql`, `)})`,
      )
      const taken = new Set(stored.map((row) => keyOf(parts, row)))
      for (const row of withKey) {
        if (taken.has(keyOf(parts, row.values)))
          this.add(row, parts[0]!.name, {
            zh: `该值已被另一条${this.model.label.zh}占用。`,
            en: `This value is taken by another ${this.model.label.en.toLowerCase()}.`,
          })
      }
    }
  }

  private add(checked: CheckedRow, field: string | null, message: Text): void {
    this.note(checked, field, message[this.context.locale])
  }

  private note(checked: CheckedRow, field: string | null, message: string): void {
    const at = this.columns.findIndex((each) => each.field.name === field)
    const column = this.columns[at]
    const named = field === null ? undefined : this.model.fields.get(field)
    checked.problems.push({
      row: checked.row,
      field,
      ...(named ? { title: named.label[this.context.locale] } : {}),
      column: column ? columnLetter(column.index) : null,
      value: column ? (checked.raw[at]?.slice(0, 200) ?? null) : null,
      message,
    })
  }
}

/** In the order of the columns; what concerns none of them comes last. */
const byColumn = (a: ImportProblem, b: ImportProblem): number => columnOf(a) - columnOf(b)
const columnOf = ({ column }: ImportProblem): number =>
  column === null ? Infinity : [...column].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

/** One text for the values of a key, or undefined when one of them is empty: empty values are never taken. */
function keyOf(parts: readonly FieldModel[], values: EntityRecord): string | undefined {
  const found = parts.map((part) => values[part.name] ?? null)
  return found.includes(null) ? undefined : JSON.stringify(found.map(String))
}

/** Whether a telephone number cannot be read for want of a country. */
const lacksCountry = (field: FieldModel, cell: FileCell, region: string | null | undefined): boolean =>
  field.kind === 'phone' && region === null && !isInternational(cellShown(cell))
