import type { FieldModel } from '../../../src/schema/entity'
import { formatOf, type FormatContext } from '../../../src/schema/formats'

/** As a spreadsheet takes it: 12.5 typed into such a cell is 12.5 %. */
const PERCENTAGE = '0.00##%'
/** Whatever is typed stays as it is typed. */
export const TEXT_FORMAT = '@'

/** The number format of a column that somebody fills in: texts keep their zeros and all digits, days and percentages are known as such. */
export function columnFormat({ kind, field }: FieldModel, context: FormatContext): string | undefined {
  if (kind === 'percent') return PERCENTAGE
  const format = formatOf(kind)
  if (kind === 'date' || kind === 'dateTime') {
    const cell = format.export(format.example.value, field, context)
    return cell.type === 'date' ? cell.pattern : undefined
  }
  return format.holdsText && kind !== 'boolean' ? TEXT_FORMAT : undefined
}
