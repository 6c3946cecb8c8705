import { sql } from 'drizzle-orm'
import { maskValue, referenceOf, type EntityModel, type LinesField, type FieldModel } from '../../../src/schema/entity'
import { compileExpression } from '../../../src/schema/expression'
import { formatOf, ready, type FormatContext } from '../../../src/schema/formats'
import { requirePermission, ServiceError, type RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import { clauseSql } from '../clause'
import type { Core } from '../core'
import { badRequest, shorten, unknownName } from '../errors'
import { formatContext } from '../formatContext'
import { ALIAS, mayRead } from '../query/queriedTable'
import { planQuery } from '../query/plan'
import { orderSql } from '../query/order'
import { countRows, presentRows } from '../query/queryPage'
import { linesForExport } from '../lines/read'
import { lineModel } from '../lines/stored'
import { AUDIT_ENTITY } from '../read/changes'
import { neededFields } from '../read/record'
import { columnSql } from '../tables'
import type { EntityRecord, ExportOptions, ExportRequest, References } from '../calls'
import { writeAudit } from '../write/audit'
import { requireOperation } from '../write/save'
import { CsvWriter } from './csvWriter'
import { Output, type SheetCell, type SheetWriter } from './output'
import { XlsxWriter } from './xlsxWriter'

/** Rows of one file. */
export const MOST_EXPORTED = 100_000
/** A sheet has little more rows than a million. */
const MOST_LINES_EXPORTED = 1_000_000
const BATCH = 500
const MOST_COLUMNS = 200

interface Column {
  title: string
  /** The field whose value is shown: of the record, or one step away. */
  field: FieldModel
  through?: FieldModel
  /** The field of lines whose rows it is read from. */
  lines?: LinesField
  masked: boolean
  /** How a value stands in the file, where its kind would write something else. */
  text?: (value: unknown) => string
}

/**
 * Writes all rows of a selection into the stream and ends it. Rows come from one snapshot in batches; labels, titles and
 * masks are those of the caller. Leaves an audit row with the selection and the number of rows.
 */
export async function exportTo(
  core: Core,
  stream: NodeJS.WritableStream,
  context: RequestContext,
  model: EntityModel,
  request: ExportRequest,
  options: ExportOptions = {},
): Promise<{ rows: number }> {
  requireExport(context, model, request.view)
  const { keyword, view, where, sort, ids, format } = request
  const selection = { keyword, view, where, sort, ids }
  const plan = planQuery(core.registry, context, model, selection)
  const columns = columnsOf(core, context, model, request, view)
  const total = await countRows(core.database, plan)
  if (total > MOST_EXPORTED) throw tooManyRows(total)
  await ready(...columns.map((column) => column.field.kind))

  const output = new Output(stream)
  const writer = writerFor(output, context, model, columns, format)
  await writer.start(columns.map((column) => column.title))
  const expand = columns.filter((column) => column.through).map((column) => `${column.through!.name}.${column.field.name}`)
  // only what the file shows is read, unless the service fills a column and may need anything
  const names = new Set([
    'id',
    ...columns.flatMap(({ field, through, lines }) => (lines ? [] : [(through ?? field).name, ...moneyField(model, field)])),
  ])
  // (rows of the audit log are told by the entity that stands in them)
  const lines = columns.find((column) => column.lines)?.lines
  const virtual = model.name === AUDIT_ENTITY || columns.some(({ field }) => field.storage === 'virtual') || lines !== undefined
  const fields = virtual ? model.stored : neededFields(model, names)
  const list = sql.join(
    fields.map((field) => sql`${columnSql(ALIAS, field)} as ${sql.identifier(field.name)}`),
    sql`, `,
  )
  const statement = sql`select ${list} from ${plan.from} where ${clauseSql(plan.where)} order by ${orderSql(plan, ALIAS)}`
  let done = 0
  let written = 0
  for await (const batch of core.database.stream<EntityRecord>(statement, [], { batchSize: BATCH })) {
    options.signal?.throwIfAborted()
    const records = await presentRows(core, core.database, context, plan, batch, names)
    const refs = await core.references.of(core.database, context, model, records, expand)
    const shown = formatContext(core, context, refs)
    const rows = lines ? await linesForExport(core, context, lines, batch) : undefined
    const cells = (record: EntityRecord, line?: EntityRecord): SheetCell[] =>
      columns.map((column) => {
        if (!column.lines) return cellOf(column, record, refs, shown)
        return line && rows ? cellOf(column, line, rows.refs, formatContext(core, context, rows.refs)) : { type: 'empty' }
      })
    await writer.rows(
      records.flatMap((record) => {
        const own = rows?.of.get(String(record.id))
        return own ? own.map((line) => cells(record, line)) : [cells(record)]
      }),
    )
    done += batch.length
    written += rows ? Math.max(batch.length, rows.count) : batch.length
    if (written > MOST_LINES_EXPORTED) throw tooManyRows(written)
    options.onProgress?.(done, Math.max(total, done))
  }
  await writer.finish()
  await writeAudit(core.registry, core.database, context, model, {
    action: 'export',
    recordId: null,
    recordTitle: model.label[context.locale],
    reason: `${done} rows, ${format}`,
    changes: [
      { field: 'rows', before: null, after: done },
      { field: 'format', before: null, after: format },
      { field: 'selection', before: null, after: selection },
      {
        field: 'columns',
        before: null,
        after: columns.map((column) =>
          column.lines
            ? `${column.lines.name}.${column.field.name}`
            : column.through
              ? `${column.through.name}.${column.field.name}`
              : column.field.name,
        ),
      },
    ],
  })
  await output.end()
  return { rows: done }
}

/** A view with an export key of its own asks for that one instead of the entity's. */
function requireExport(context: RequestContext, model: EntityModel, view: string | undefined): void {
  const own = view === undefined ? undefined : model.views.get(view)?.export
  if (own === undefined) requireOperation(context, model, 'export')
  else requirePermission(context, own)
}

/** The field that holds the currency of an amount. */
function moneyField(model: EntityModel, field: FieldModel): string[] {
  const currency = field.field['x-money']
  return currency !== undefined && model.fields.has(currency) ? [currency] : []
}

function tooManyRows(total: number): ServiceError {
  return new ServiceError('limitRefused', {
    message: {
      zh: `共 ${total} 行，一次最多导出 ${MOST_EXPORTED} 行，请缩小范围。`,
      en: `There are ${total} rows; one file takes at most ${MOST_EXPORTED}. Please narrow the selection.`,
    },
    data: { reason: 'tooManyRows', total },
  })
}

/** The asked columns in their order; those that the caller may not see at all are left out. */
function columnsOf(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  request: ExportRequest,
  view: string | undefined,
): Column[] {
  const { columns } = request
  if (!Array.isArray(columns) || columns.length === 0 || columns.length > MOST_COLUMNS) {
    throw badRequest(
      context.locale,
      { zh: `请选择 1 至 ${MOST_COLUMNS} 列。`, en: `Choose 1 to ${MOST_COLUMNS} columns.` },
      'columns',
    )
  }
  return columns.flatMap(({ field: path, title }): Column[] => {
    const [name = '', inner, ...more] = path.split('.')
    const lines = inner === undefined ? undefined : model.lines.find((field) => field.name === name)
    if (lines) return lineColumn(core, context, model, lines, inner!, title, columns)
    const first = model.fields.get(name)
    const entity = inner === undefined || !first ? undefined : referenceOf(first)
    const target = entity === undefined ? undefined : core.registry.find(entity)
    const field = inner === undefined ? first : target?.fields.get(inner)
    if (!first || !field || first.internal || field.internal || more.length > 0) {
      throw badRequest(context.locale, unknownName({ zh: '字段', en: 'field' }, path, model.fields.keys()), shorten(path))
    }
    const own = accessOf(model, context, view === undefined ? undefined : model.views.get(view))
    const access = target ? accessOf(target, context) : own
    if (own.of(name) === 'hide' || access.of(field.name) === 'hide') return []
    const masked = own.of(name) === 'mask' || access.of(field.name) === 'mask'
    const text = textOf(core, context, field)
    return [{ title, field, masked, ...(target ? { through: first } : {}), ...(text ? { text } : {}) }]
  })
}

/** What the field says about its text in files (`x-exportText`). */
export function textOf(
  { registry }: Pick<Core, 'registry'>,
  context: RequestContext,
  { field }: Pick<FieldModel, 'field'>,
): Column['text'] {
  const said = field['x-exportText']
  if (said === undefined) return undefined
  const text = compileExpression(said)
  return (value) => String(text({ ...registry.expressionScope(context), value }, registry.environment(context)) ?? '')
}

/** A column of the lines; the columns of one file are of one list of lines, or its rows would multiply. */
function lineColumn(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  lines: LinesField,
  name: string,
  title: string,
  asked: ExportRequest['columns'],
): Column[] {
  const target = lineModel(core.registry, lines)
  const field = target.fields.get(name)
  if (!field || field.internal || field.storage === 'lines')
    throw badRequest(context.locale, unknownName({ zh: '字段', en: 'field' }, name, target.fields.keys()), shorten(name))
  if (asked.some((other) => model.lines.some((each) => each !== lines && other.field.startsWith(`${each.name}.`)))) {
    throw badRequest(
      context.locale,
      { zh: '一个文件只能导出一种明细。', en: 'One file takes the lines of one field only.' },
      'columns',
    )
  }
  const access = accessOf(target, context).of(name)
  if (!accessOf(model, context).readable(lines.name) || !mayRead(context, target) || access === 'hide') return []
  return [{ title, field, lines, masked: access === 'mask' }]
}

function cellOf(column: Column, record: EntityRecord, refs: References, format: FormatContext): SheetCell {
  const { field, through, masked, text } = column
  const id = through && record[through.name]
  const target = through && referenceOf(through)
  const value = through ? (typeof id === 'string' ? refs[target!]?.[id]?.fields?.[field.name] : null) : record[field.name]
  if (value === null || value === undefined) return { type: 'empty' }
  if (text && !masked) return { type: 'text', value: text(value) }
  if (!masked) return formatOf(field.kind).export(value, field.field, { ...format, record })
  const hidden = Array.isArray(value)
    ? value.join(', ')
    : String(typeof value === 'string' ? value : maskValue(field.kind, value))
  return { type: 'text', value: hidden }
}

function writerFor(
  output: Output,
  context: RequestContext,
  model: EntityModel,
  columns: readonly Column[],
  format: 'xlsx' | 'csv',
): SheetWriter {
  const yesNo = (value: boolean): string => (context.locale === 'zh' ? (value ? '是' : '否') : value ? 'Yes' : 'No')
  if (format === 'csv') return new CsvWriter(output, yesNo)
  if (format === 'xlsx') {
    const widths = columns.map((column) => Math.min(60, Math.max(10, Math.round(formatOf(column.field.kind).width / 8))))
    return new XlsxWriter(output, { name: sheetName(model.label[context.locale]), widths })
  }
  throw badRequest(context.locale, { zh: '格式须为 xlsx 或 csv。', en: 'The format has to be xlsx or csv.' }, 'format')
}

/** Names of sheets have at most 31 characters and none of these. */
export function sheetName(title: string): string {
  return title.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31)
}
