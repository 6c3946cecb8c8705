/** A list of values from the format of one of them: shown joined, typed with separators, each item checked. */
import type { BilingualText } from '../../problem'
import { cellText, isBlank, joinList, say, splitList, textCell, type FieldFormat, type FormatField, type Parsed } from '../format'

type One = Pick<FieldFormat, 'validate' | 'show' | 'parse'>

export function listOf(one: One): Pick<FieldFormat, 'validate' | 'show' | 'parse' | 'export'> {
  const show: FieldFormat['show'] = (value, field, context) =>
    Array.isArray(value)
      ? joinList(
          value.map((item: unknown) => one.show(item, field, context)),
          context.locale,
        )
      : ''
  return {
    validate: (value, field, context) => {
      if (isBlank(value)) return null
      if (!Array.isArray(value)) return say('须是列表。', 'It has to be a list.')
      const wrong = validateCount(value, field)
      if (wrong) return wrong
      for (const item of value as unknown[]) {
        if (isBlank(item)) return say('列表中不能有空项。', 'The list must not hold empty items.')
        const message = one.validate(item, field, context)
        if (message) return message
      }
      return null
    },
    show,
    parse: (cell, field, context): Parsed => {
      const text = cellText(cell)
      if (text === null) return { value: null }
      const values = new Set<unknown>()
      // a whole cell may be one item with a separator in its name
      const whole = one.parse(text, field, context)
      if ('value' in whole && !/[,，、;；|\n]/.test(text)) return { value: [whole.value] }
      for (const piece of splitList(text)) {
        const parsed = one.parse(piece, field, context)
        if ('message' in parsed) return 'value' in whole ? { value: [whole.value] } : parsed
        values.add(parsed.value)
      }
      return { value: values.size > 0 ? [...values] : null }
    },
    export: (value, field, context) => textCell(show(value, field, context)),
  }
}

const MOST_ITEMS = 1000

function validateCount(value: readonly unknown[], field: FormatField): BilingualText | null {
  const most = field.maxItems ?? MOST_ITEMS
  if (value.length > most) return say(`最多 ${most} 项。`, `At most ${most} items.`)
  if (field.minItems !== undefined && value.length < field.minItems)
    return say(`至少 ${field.minItems} 项。`, `At least ${field.minItems} items.`)
  return new Set(value).size === value.length ? null : say('不能有重复项。', 'The items have to differ.')
}
