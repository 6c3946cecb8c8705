import type { EntityModel, LinesField } from '../../../src/schema/entity'
import type { RequestContext, ServiceError } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { Core } from '../core'
import { lineModel } from '../lines/stored'
import { ImportCheck, type CheckedRow } from './importCheck'
import { columnKey, type ImportColumn } from './importColumns'
import type { FileRow } from './sheetRows'
import { columnLetter } from './xlsxWriter'

/** Rows of a file that make one record with its lines. */
interface Document {
  rows: FileRow[]
  /** The cells of the record's own columns in the first row. */
  own: readonly string[]
}

/** The check of a file: row by row, or where it has columns of lines, document by document. */
export function checkFor(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  columns: readonly ImportColumn[],
): ImportCheck | DocumentCheck {
  const lines = columns.find((column) => column.lines)?.lines
  return lines ? new DocumentCheck(core, context, model, columns, lines) : new ImportCheck(core, context, model, columns)
}

/**
 * Checks records with their lines: one row a line, the rows of a record together. A row goes on with the record above when its own
 * columns are empty or say the same key. One faulty row keeps the whole record from being saved.
 */
export class DocumentCheck {
  private readonly heads: ImportCheck
  private readonly lines: ImportCheck
  private readonly own: readonly ImportColumn[]
  private readonly ofLines: readonly ImportColumn[]
  /** Where the key of a record stands among its own columns. */
  private readonly key: number
  private open: Document | undefined

  constructor(
    core: Core,
    private readonly context: RequestContext,
    model: EntityModel,
    private readonly columns: readonly ImportColumn[],
    private readonly field: LinesField,
  ) {
    this.own = columns.filter(({ lines }) => !lines)
    this.ofLines = columns.filter(({ lines }) => lines)
    this.heads = new ImportCheck(core, context, model, this.own)
    this.lines = new ImportCheck(core, context, lineModel(core.registry, field), this.ofLines, field.rows.parent)
    const unique = this.own.findIndex(({ field: { field: words } }) => words['x-unique'] === true)
    this.key = unique >= 0 ? unique : this.own.findIndex(({ field: { name } }) => name === model.titleField)
  }

  /** The rows of records that are complete: the last one of a batch may go on. */
  async batch(rows: readonly FileRow[]): Promise<CheckedRow[]> {
    const complete: Document[] = []
    for (const row of rows) {
      const own = this.heads.asWritten(row)
      if (this.open && this.goesOn(this.open, own)) this.open.rows.push(row)
      else {
        if (this.open) complete.push(this.open)
        this.open = { rows: [row], own }
      }
    }
    return this.check(complete)
  }

  /** The rows of the last record. */
  rest(): Promise<CheckedRow[]> {
    const last = this.open
    this.open = undefined
    return this.check(last ? [last] : [])
  }

  /** The cells of all columns, in the order of the file. */
  asWritten(row: FileRow): string[] {
    const [own, lines] = [this.heads.asWritten(row), this.lines.asWritten(row)]
    return this.columns.map((column) => (column.lines ? lines[this.ofLines.indexOf(column)]! : own[this.own.indexOf(column)]!))
  }

  /** Adds why a service refused a record that was sound by itself. */
  refuse(checked: CheckedRow, error: ServiceError, inWords: (message: string) => string): void {
    this.heads.refuse(checked, error, inWords)
  }

  /** How the cells of a row were understood, by column. */
  inWords({ values, raw }: CheckedRow): Record<string, string> {
    const understood = this.heads.inWords({
      row: 0,
      values,
      raw: this.own.map((column) => raw[this.columns.indexOf(column)] ?? ''),
      problems: [],
    })
    return Object.fromEntries(
      this.columns.map((column, index) => [
        columnKey(column),
        column.lines ? (raw[index] ?? '') : (understood[column.field.name] ?? ''),
      ]),
    )
  }

  private goesOn({ own }: Document, cells: readonly string[]): boolean {
    if (cells.every((cell) => cell === '')) return true
    if (this.key >= 0) return cells[this.key] !== '' && cells[this.key] === own[this.key]
    return cells.every((cell, index) => cell === own[index])
  }

  private async check(documents: readonly Document[]): Promise<CheckedRow[]> {
    if (documents.length === 0) return []
    const heads = await this.heads.batch(documents.map(({ rows }) => rows[0]!))
    const headOf = new Map<FileRow, EntityRecord>()
    for (const [index, { rows }] of documents.entries()) for (const row of rows) headOf.set(row, heads[index]!.values)
    const all = documents.flatMap(({ rows }) => rows)
    const lines = await this.lines.batch(all, (row) => headOf.get(row) ?? {})
    let at = 0
    return documents.flatMap(({ rows, own }, index) => {
      const checked = lines.slice(at, (at += rows.length))
      const head = heads[index]!
      checked[0]!.problems.unshift(...head.problems)
      for (const [position, row] of checked.entries()) if (position > 0) this.sameHead(row, rows[position]!, own, rows[0]!.row)
      const faulty = checked.find(({ problems }) => problems.length > 0)
      const values = { ...head.values, [this.field.name]: checked.map((row) => row.values) }
      return checked.map((row, index): CheckedRow => ({
        row: row.row,
        raw: this.asWritten(rows[index]!),
        values: index === 0 ? values : {},
        problems: faulty && row.problems.length === 0 ? [this.withFaulty(row.row, faulty.row)] : row.problems,
        ...(index === 0 ? {} : { follows: true as const }),
      }))
    })
  }

  /** What the further rows of a record say of it has to be what the first one says. */
  private sameHead(checked: CheckedRow, row: FileRow, own: readonly string[], first: number): void {
    for (const [index, cell] of this.heads.asWritten(row).entries()) {
      if (cell === '' || cell === own[index]) continue
      const { field, index: column } = this.own[index]!
      const said = {
        zh: `与第 ${first} 行的同一单据不一致。`,
        en: `Row ${first}, which is of the same record, says something else.`,
      }
      checked.problems.push({
        row: checked.row,
        field: field.name,
        title: field.label[this.context.locale],
        column: columnLetter(column),
        value: cell.slice(0, 200),
        message: said[this.context.locale],
      })
    }
  }

  private withFaulty(row: number, faulty: number): CheckedRow['problems'][number] {
    const said = { zh: `同一单据的第 ${faulty} 行有错误。`, en: `Row ${faulty} of the same record is faulty.` }
    return { row, field: null, column: null, value: null, message: said[this.context.locale] }
  }
}
