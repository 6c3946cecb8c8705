import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import { formatOf } from '../../../src/schema/formats'
import type { RequestContext } from '../../platform/http'
import type { Core } from '../core'
import { ImportCheck } from './importCheck'
import { lineModel } from '../lines/stored'
import { columnKey, importableColumns, type ImportColumn } from './importColumns'

/** Labels that can be chosen for a field of a dictionary. */
export function labelsOf(core: Core, context: RequestContext, field: FieldModel): string[] {
  const items = core.registry.dictionary(field.field['x-dictionary'] ?? '')?.items ?? []
  return items.filter((item) => !item.retired).map((item) => item.label[context.locale])
}

/**
 * The example row of the template: values that the rules of the entity let pass, so that a row which is made of it can be imported. References
 * are left empty, as they name records that only the reader knows. A row that equals it is skipped by the import.
 */
export function exampleRow(core: Core, context: RequestContext, model: EntityModel): string[] {
  const all = importableColumns(core, context, model).map((column, index): ImportColumn => ({ ...column, index }))
  const own = bestRow(
    core,
    context,
    model,
    all.filter(({ lines }) => !lines),
  )
  const [lines] = all.flatMap((column) => (column.lines ? [column.lines] : []))
  if (!lines) return own
  const rows = all.filter((column) => column.lines).map((column, index) => ({ ...column, index }))
  return [...own, ...bestRow(core, context, lineModel(core.registry, lines), rows, lines.rows.parent)]
}

function bestRow(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  columns: readonly ImportColumn[],
  parent?: string,
): string[] {
  const choices = columns.map(({ field }) => choicesFor(core, context, model, field))
  const faults = (row: readonly string[]): number =>
    new ImportCheck(core, context, model, columns, parent).faultsOf({
      row: 2,
      cells: row.map((value) => (value === '' ? null : value)),
    })
  let best = { row: choices.map(([first]) => first ?? ''), faults: Infinity }
  best.faults = faults(best.row)
  for (const [index, others] of choices.entries()) {
    for (const choice of others.slice(1)) {
      if (best.faults === 0) break
      const row = best.row.with(index, choice)
      const left = faults(row)
      if (left < best.faults) best = { row, faults: left }
    }
  }
  return best.row
}

/** Whether a row of a file, cell by cell as it was written, is the example as it stands in the template. */
export function isExample(
  cells: readonly string[],
  columns: readonly ImportColumn[],
  example: ReadonlyMap<string, string>,
): boolean {
  return cells.some((cell) => cell !== '') && cells.every((cell, index) => cell === example.get(columnKey(columns[index]!)))
}

/** Rules that read rule sets are only decided by the save: a text that one of them complains of is filled in. */
const isAskedFor = ({ document }: EntityModel, { name, required }: FieldModel): boolean =>
  required || (document['x-rules'] ?? []).some(({ field }) => field === name)

/** Of fields that may not begin in the past; always the same, since an example is known by what stands in it. */
const COMING = '2040-01-01'

/** Whether a rule refuses a time of the field that is before now. */
const isComing = ({ document }: EntityModel, { name }: FieldModel): boolean =>
  (document['x-rules'] ?? []).some(
    ({ field, when }) => field === name && new RegExp(`\\b${name} < [^&|]*\\b(?:now|today)\\b`).test(when),
  )

/** What may stand in the example of a field, the best first. */
function choicesFor(core: Core, context: RequestContext, model: EntityModel, field: FieldModel): string[] {
  const { locale } = context
  const empty = field.required ? [] : ['']
  const zh = locale === 'zh'
  switch (field.kind) {
    case 'dictionary': {
      const preset = core.registry
        .dictionary(field.field['x-dictionary'] ?? '')
        ?.items.find(({ code, retired }) => !retired && code === field.field.default)
      return [...(preset ? [preset.label[locale]] : []), ...labelsOf(core, context, field), ...empty]
    }
    case 'dictionaries':
      return [
        labelsOf(core, context, field)
          .slice(0, 2)
          .join(zh ? '、' : ', '),
        ...empty,
      ]
    case 'ref':
    case 'refs':
      return ['']
    case 'boolean':
      return zh ? ['是', '否'] : ['Yes', 'No']
    case 'string':
    case 'text': {
      const examples = field.field.examples ?? []
      if (field.name === model.titleField)
        return [...examples, zh ? `示例${model.label.zh}` : `Example ${model.label.en.toLowerCase()}`]
      if (!isAskedFor(model, field)) return ['']
      return [...examples, zh ? `示例${field.label.zh}` : `Example ${field.label.en.toLowerCase()}`, 'A0001', ...empty]
    }
    default: {
      const { example } = formatOf(field.kind)
      const { maximum } = field.field
      const dated = field.kind === 'date' || field.kind === 'dateTime' ? [COMING] : []
      // a rule that refuses what has begun is only decided once all references are named
      const [first, coming] = isComing(model, field) ? [dated, []] : [[], dated]
      const bounded =
        field.kind === 'integer' && maximum !== undefined && maximum < Number(example.value) ? [String(maximum)] : []
      const open = model.document['x-effective']?.until === field.name ? empty : []
      return [
        ...open,
        ...(field.field.examples ?? []),
        ...first,
        ...bounded,
        example.shown[locale],
        ...example.typed,
        ...coming,
        ...empty,
      ].filter((value) => value === value.trim())
    }
  }
}
