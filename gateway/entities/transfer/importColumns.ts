import { machineOf, type EntityModel, type LinesField, type FieldModel } from '../../../src/schema/entity'
import { titlesWithUnit } from '../../../src/schema/formats'
import type { BilingualText } from '../../../src/schema/problem'
import type { RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import type { Core } from '../core'
import { meantName, shorten } from '../errors'
import { lineModel } from '../lines/stored'
import type { ImportProblem } from './importTypes'
import { cellShown, type FileCell } from './sheetRows'
import { columnLetter } from './xlsxWriter'

/** A column of an import file and the field that it fills. */
export interface ImportColumn {
  index: number
  field: FieldModel
  title: string
  /** The field of lines whose rows it fills. */
  lines?: LinesField
}

/** Tells a column from the others of its file: a line may have a field of the same name as its head. */
export const columnKey = ({ field, lines }: Pick<ImportColumn, 'field' | 'lines'>): string =>
  lines ? `${lines.name}.${field.name}` : field.name

/** What a table of an entity can fill: its own fields, and those of its lines, one row a line. */
export function importableColumns(
  core: Pick<Core, 'registry'>,
  context: RequestContext,
  model: EntityModel,
): Omit<ImportColumn, 'index'>[] {
  const { locale } = context
  const own = importableFields(context, model).map((field) => ({ field, title: titlesOf(field)[locale] }))
  const [lines] = model.lines
  if (!lines || accessOf(model, context).of(lines.name) !== 'write') return own
  const rows = importableFields(context, lineModel(core.registry, lines)).filter(({ name }) => name !== lines.rows.parent)
  const between = locale === 'zh' ? '：' : ': '
  return [...own, ...rows.map((field) => ({ field, lines, title: `${lines.label[locale]}${between}${titlesOf(field)[locale]}` }))]
}

/** The label of a field, with what its numbers count. */
const titlesOf = ({ label, field }: FieldModel): BilingualText => titlesWithUnit(label, field['x-unit'])

const NOT_IN_TABLES: ReadonlySet<string> = new Set(['file', 'files', 'json', 'richText'])

/** Fields that a table can fill: what the caller could also type into a form. */
export function importableFields(context: RequestContext, model: EntityModel): FieldModel[] {
  const access = accessOf(model, context)
  return [...model.fields.values()].filter((field) => {
    if (field.origin !== 'own' || field.storage !== 'stored' || field.internal || NOT_IN_TABLES.has(field.kind)) return false
    if (field.field.readOnly || field.kept || field.field['x-retired'] || field.sequence || machineOf(model, field.name))
      return false
    const allowed = access.of(field.name)
    return allowed === 'write' || (allowed === 'mask' && field.field['x-sensitive'] !== undefined)
  })
}

/** Headers of the columns that an error file adds; an import skips them. */
export function errorColumns(locale: 'zh' | 'en'): [string, string] {
  return locale === 'zh' ? ['原行号', '错误原因'] : ['Original row', 'Errors']
}

/** Header of a column: its title, required ones with an asterisk. */
export function headerOf({ field, title }: Pick<ImportColumn, 'field' | 'title'>): string {
  return `${title}${field.required ? ' *' : ''}`
}

/** Every word that may stand in the header of a column: labels in both languages, with or without units, and the name of the field. */
const headersOf = ({ field, lines }: Pick<ImportColumn, 'field' | 'lines'>): string[] => {
  const labels = [field.label, ...(field.field['x-unit'] ? [titlesOf(field)] : [])]
  return [
    ...labels.flatMap(({ zh, en }) => (lines ? [`${lines.label.zh}：${zh}`, `${lines.label.en}: ${en}`] : [zh, en])),
    lines ? `${lines.name}.${field.name}` : field.name,
  ]
}

/** Every word that may stand in a header. */
export const knownHeaders = (columns: readonly Pick<ImportColumn, 'field' | 'lines'>[]): string[] => columns.flatMap(headersOf)

/** The columns of a header row. Unknown, doubled, kept-by-the-system and missing required columns are problems: nothing is dropped in silence. */
export function readHeader(
  core: Pick<Core, 'registry'>,
  context: RequestContext,
  model: EntityModel,
  cells: readonly FileCell[],
): { columns: ImportColumn[]; problems: ImportProblem[] } {
  const { locale } = context
  const fields = importableColumns(core, context, model)
  const columns: ImportColumn[] = []
  const problems: ImportProblem[] = []
  const problem = (index: number | null, value: string | null, zh: string, en: string, field: string | null = null): void => {
    problems.push({
      row: 1,
      field,
      column: index === null ? null : columnLetter(index),
      value,
      message: locale === 'zh' ? zh : en,
    })
  }
  for (const [index, cell] of cells.entries()) {
    const title = cellShown(cell)
      .replace(/[*＊]\s*$/, '')
      .trim()
    // our own error file comes back with its two explaining columns
    if (title === '' || [...errorColumns('zh'), ...errorColumns('en')].includes(title)) continue
    const found = columnNamed(fields, title)
    if (found && columns.some((column) => column.field === found.field)) {
      problem(index, title, `列“${title}”重复。`, `The column "${title}" stands twice.`, found.field.name)
    } else if (found) columns.push({ ...found, index })
    else {
      const known = columnNamed(
        [...model.fields.values()].filter((each) => !each.internal).map((field) => ({ field, title: '' })),
        title,
      )
      const hint = known ? undefined : meantName(title, knownHeaders(fields))
      const shown = shorten(title)
      if (known)
        problem(
          index,
          shown,
          `列“${shown}”由系统维护或不能导入，请删除该列。`,
          `The column "${shown}" cannot be imported; please remove it.`,
        )
      else
        problem(
          index,
          shown,
          `不认识列“${shown}”${hint ? `，是否为“${hint}”？` : '，请对照模板。'}`,
          `The column "${shown}" is not known${hint ? `; did you mean "${hint}"?` : '; please compare with the template.'}`,
        )
    }
  }
  const withLines = columns.some(({ lines }) => lines)
  for (const wanted of fields) {
    const { field, lines } = wanted
    const missing = field.required && field.field.default === undefined && !columns.some((column) => column.field === field)
    if (!missing || (lines && !withLines)) continue
    const [zh, en] = headersOf(wanted)
    problem(null, null, `缺少必填列“${zh}”。`, `The required column "${en}" is missing.`, field.name)
  }
  return { columns, problems }
}

function columnNamed<Column extends Pick<ImportColumn, 'field' | 'lines'>>(
  columns: readonly Column[],
  title: string,
): Column | undefined {
  const word = title.toLowerCase().replace('：', ':').replace(/:\s*/, ':')
  const matches = (header: string): boolean => header.toLowerCase().replace('：', ':').replace(/:\s*/, ':') === word
  return (
    columns.find((column) => headersOf(column).slice(0, -1).some(matches)) ??
    columns.find((column) => headersOf(column).slice(-1).some(matches))
  )
}
