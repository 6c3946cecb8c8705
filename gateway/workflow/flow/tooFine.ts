import type { FieldModel } from '../../../src/schema/entity'
import { currencyDigits, currencyOf, toExact } from '../../../src/schema/formats'
import type { DetachedRecords, EntityRecord, InputProblem } from '../../entities'

/**
 * Amounts that people typed finer than their currency goes, in a form and in the cells of its rows: 10.5 JPY. A field with an `x-scale` says
 * itself how fine it is.
 * @param cellsOf the cells that people type, of a field with rows
 */
export function tooFine(
  records: DetachedRecords,
  record: EntityRecord,
  typed: readonly string[],
  cellsOf: (name: string) => readonly string[],
): InputProblem[] {
  return typed.flatMap((name) => {
    const row = records.rowsOf(name)
    if (!row) return problemOf(records.model.fields.get(name), record, name)
    const rows = (record[name] ?? []) as EntityRecord[]
    return rows.flatMap((cells, index) =>
      cellsOf(name).flatMap((cell) => problemOf(row.fields.get(cell), cells, `${name}.${index}.${cell}`)),
    )
  })
}

function problemOf(field: FieldModel | undefined, record: EntityRecord, path: string): InputProblem[] {
  if (field?.kind !== 'money' || field.field['x-scale'] !== undefined) return []
  const currency = currencyOf(field.field, record)
  const digits = currencyDigits(currency)
  if (currency === undefined || (toExact(record[field.name])?.decimalPlaces() ?? 0) <= digits) return []
  const { zh, en } = field.label
  const message = { zh: `“${zh}”：${currency} 最多 ${digits} 位小数。`, en: `${en}: ${currency} has at most ${digits} decimals.` }
  return [{ field: path, rule: 'format', message }]
}
