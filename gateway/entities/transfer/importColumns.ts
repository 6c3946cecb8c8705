import { machineOf, type EntityModel, type ModelField } from '../../../src/schema/entity'
import type { RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import { meantName, shorten } from '../errors'
import type { ImportProblem } from './importTypes'
import type { FileCell } from './sheetRows'
import { columnLetter } from './xlsxWriter'

/** A column of an import file and the field that it fills. */
export interface ImportColumn {
  index: number
  field: ModelField
  title: string
}

const NOT_IN_TABLES: ReadonlySet<string> = new Set(['file', 'files', 'json', 'richText'])

/** Fields that a table can fill: what the caller could also type into a form. */
export function importableFields(context: RequestContext, model: EntityModel): ModelField[] {
  const access = accessOf(model, context)
  return [...model.fields.values()].filter((field) => {
    if (field.origin !== 'own' || field.storage !== 'stored' || field.internal || NOT_IN_TABLES.has(field.kind)) return false
    if (field.field.readOnly || field.field['x-retired'] || field.sequence || machineOf(model, field.name)) return false
    const allowed = access.of(field.name)
    return allowed === 'write' || (allowed === 'mask' && field.field['x-sensitive'] !== undefined)
  })
}

/** Headers of the columns that an error file adds; an import skips them. */
export function errorColumns(locale: 'zh' | 'en'): [string, string] {
  return locale === 'zh' ? ['原行号', '错误原因'] : ['Original row', 'Errors']
}

/** Header of a column: the label, required ones with an asterisk. */
export function headerOf(field: ModelField, locale: 'zh' | 'en'): string {
  return `${field.label[locale]}${field.required ? ' *' : ''}`
}

/** Every word that may stand in a header: labels in both languages and field names. */
export function knownHeaders(fields: readonly ModelField[]): string[] {
  return fields.flatMap((field) => [field.label.zh, field.label.en, field.name])
}

/** The columns of a header row. Unknown, doubled, kept-by-the-system and missing required columns are problems: nothing is dropped in silence. */
export function readHeader(
  context: RequestContext,
  model: EntityModel,
  cells: readonly FileCell[],
): { columns: ImportColumn[]; problems: ImportProblem[] } {
  const { locale } = context
  const fields = importableFields(context, model)
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
    const title = typeof cell === 'string' ? cell.replace(/[*＊]\s*$/, '').trim() : cell === null ? '' : String(cell)
    // our own error file comes back with its two explaining columns
    if (title === '' || [...errorColumns('zh'), ...errorColumns('en')].includes(title)) continue
    const field = fieldNamed(fields, title)
    if (field && columns.some((column) => column.field === field)) {
      problem(index, title, `列“${title}”重复。`, `The column "${title}" stands twice.`, field.name)
    } else if (field) columns.push({ index, field, title: field.label[locale] })
    else {
      const known = fieldNamed(
        [...model.fields.values()].filter((each) => !each.internal),
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
  for (const field of fields) {
    if (!field.required || field.field.default !== undefined || columns.some((column) => column.field === field)) continue
    problem(null, null, `缺少必填列“${field.label.zh}”。`, `The required column "${field.label.en}" is missing.`, field.name)
  }
  return { columns, problems }
}

function fieldNamed(fields: readonly ModelField[], title: string): ModelField | undefined {
  const word = title.toLowerCase()
  return (
    fields.find((field) => field.label.zh === title || field.label.en.toLowerCase() === word) ??
    fields.find((field) => field.name.toLowerCase() === word)
  )
}
