/** Cells of files for the kinds that hold texts. */
import type { FieldFormat } from './format'
import { DIGITS_LOST, keptNumber, numberText, sheetNumberOf } from './sheetNumber'

/** A format of texts that reads the number of a cell as the text which the sheet shows, and refuses it where digits may be lost. */
export function ofText(format: FieldFormat): FieldFormat {
  return {
    ...format,
    holdsText: true,
    parse: (cell, field, context) => {
      const number = sheetNumberOf(cell)
      if (!number) return format.parse(cell, field, context)
      if (keptNumber(number.value, 'all') === 'lost') return { message: DIGITS_LOST }
      return format.parse(numberText(number), field, context)
    },
  }
}
