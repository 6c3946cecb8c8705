import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import { formatOf, ready } from '../../../src/schema/formats'
import type { RequestContext } from '../../platform/http'
import type { Core } from '../core'
import { formatContext } from '../formatContext'
import { columnFormat } from './columnFormat'
import { collectStream, Output, type SheetCell } from './output'
import { exampleRow, labelsOf } from './example'
import { sheetName } from './export'
import { headerOf, importableColumns } from './importColumns'
import { columnLetter, XlsxWriter } from './xlsxWriter'

const VALIDATED_ROWS = 10_000
const text = (value: string): SheetCell => (value === '' ? { type: 'empty' } : { type: 'text', value })

/** The workbook to fill in: headers in the caller's language, an example row, drop-down lists, and a sheet that explains the columns. */
export async function importTemplate(core: Core, context: RequestContext, model: EntityModel): Promise<Buffer> {
  const columns = importableColumns(core, context, model)
  const fields = columns.map(({ field }) => field)
  await ready(...fields.map((field) => field.kind))
  const zh = context.locale === 'zh'
  const guide = zh ? '说明' : 'Guide'
  const options = zh ? '选项' : 'Options'
  const lists = fields
    .filter((field) => field.kind === 'dictionary')
    .map((field) => ({ field, labels: labelsOf(core, context, field) }))
  return collectStream(async (stream) => {
    const output = new Output(stream)
    const writer = new XlsxWriter(output, {
      name: sheetName(model.label[context.locale]),
      widths: fields.map((field) => Math.max(12, Math.round(formatOf(field.kind).width / 8))),
      formats: fields.map((field) => columnFormat(field, formatContext(core, context))),
      after: validations(fields, lists, options),
    })
    await writer.start(columns.map(headerOf))
    const examples = exampleRow(core, context, model)
    await writer.rows([examples.map(text)])
    await writer.sheet(
      { name: guide, widths: [24, 10, 60, 30] },
      zh ? ['列', '必填', '说明', '示例'] : ['Column', 'Required', 'Explanation', 'Example'],
    )
    await writer.rows(
      fields.map((field, index) => [
        text(columns[index]!.title),
        text(field.required ? (zh ? '是' : 'Yes') : ''),
        text(explain(core, context, field)),
        text(examples[index]!),
      ]),
    )
    await writer.rows([[text(zh ? '示例行原样保留时不会被导入。' : 'An unchanged example row is not imported.')]])
    if (columns.some(({ lines }) => lines))
      await writer.rows([
        [
          text(
            zh
              ? `一行是一条明细；同一条${model.label.zh}的各行须连在一起，第一行之后可以不再填写${model.label.zh}的列。`
              : `A row is a line. The rows of one ${model.label.en.toLowerCase()} stand together; its own columns may stay empty after the first.`,
          ),
        ],
      ])
    if (lists.length > 0) {
      await writer.sheet(
        { name: options },
        lists.map(({ field }) => field.label[context.locale]),
      )
      const longest = Math.max(...lists.map(({ labels }) => labels.length))
      await writer.rows(Array.from({ length: longest }, (_, row) => lists.map(({ labels }) => text(labels[row] ?? ''))))
    }
    await writer.finish()
    await output.end()
  })
}

function explain(core: Core, context: RequestContext, field: FieldModel): string {
  const zh = context.locale === 'zh'
  const parts = [field.field['x-help']?.[context.locale]]
  const target = field.field['x-ref'] === undefined ? undefined : core.registry.find(field.field['x-ref'])
  if (target)
    parts.push(zh ? `填写${target.label.zh}的名称、编码或编号` : `Name, code or id of the ${target.label.en.toLowerCase()}`)
  if (field.kind === 'dictionary' || field.kind === 'dictionaries')
    parts.push(labelsOf(core, context, field).join(zh ? '、' : ', '))
  if (field.many) parts.push(zh ? '多个值用逗号或顿号分隔' : 'Several values separated by commas')
  if (field.field.maxLength !== undefined)
    parts.push(zh ? `最多 ${field.field.maxLength} 个字符` : `At most ${field.field.maxLength} characters`)
  return parts.filter(Boolean).join(zh ? '；' : '; ')
}

function validations(
  fields: readonly FieldModel[],
  lists: readonly { field: FieldModel; labels: readonly string[] }[],
  sheet: string,
): string {
  const rules = lists.flatMap(({ field, labels }, index) => {
    if (labels.length === 0) return []
    const column = columnLetter(fields.indexOf(field))
    const source = columnLetter(index)
    return [
      `<dataValidation type="list" allowBlank="1" sqref="${column}2:${column}${VALIDATED_ROWS}"><formula1>'${sheet}'!$${source}$2:$${source}$${labels.length + 1}</formula1></dataValidation>`,
    ]
  })
  return rules.length === 0 ? '' : `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>`
}
