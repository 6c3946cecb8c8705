/** `x-unit` stands at numbers, and says what neither the currency nor the percent sign says already. */
import { splitField } from '../compile'
import { pointer } from '../diagnosis'
import { isCurrency, type Unit } from '../formats'
import { fieldKind } from '../formats/kind'
import type { EntityField } from '../generated/entity'
import type { FormNode } from '../generated/page'
import type { Checker } from './checker'

/** Controls and components that show what stands behind a number. */
const NUMBER_BOXES: ReadonlySet<unknown> = new Set([
  ...[
    'number',
    'integer',
    'decimal',
    'money',
    'NumberPicker',
    'InputNumber',
    'readOnly',
    'PreviewText',
    'PreviewText.NumberPicker',
  ],
])
const NUMBER_TYPES: ReadonlySet<unknown> = new Set(['number', 'integer'])

function sayUnit(checker: Checker, at: string, zh: string, en: string): void {
  checker.add('field-kind-mismatch', pointer(at, 'x-unit'), { zh, en })
}

export function checkFieldUnit(checker: Checker, field: EntityField, at: string): void {
  if (field['x-unit'] !== undefined) checkUnit(checker, field['x-unit'], fieldKind(field), at)
}

/** The unit of a node of a form. */
export function checkNodeUnit(checker: Checker, node: FormNode, at: string): void {
  const unit = node['x-unit']
  if (unit === undefined) return
  const component = node['x-component']
  const named = splitField(node.$field ?? '')
  const field = checker.catalog.entities.get(named.entity)?.properties[named.field]
  if (component === undefined ? field === undefined && !NUMBER_TYPES.has(node.type) : !NUMBER_BOXES.has(component))
    return sayUnit(checker, at, 'x-unit 只能用于数字框。', 'Only a box for a number has a unit.')
  checkUnit(checker, unit, field ? fieldKind(field) : component === 'money' ? 'money' : 'decimal', at)
}

function checkUnit(checker: Checker, unit: Unit, kind: string, at: string): void {
  if (kind === 'percent')
    sayUnit(checker, at, '百分比已带“%”，不需要单位。', 'A percentage shows its sign already: it needs no unit.')
  else if (!['integer', 'decimal', 'money'].includes(kind))
    sayUnit(checker, at, 'x-unit 只能用于数字和金额。', 'Only a number or an amount has a unit.')
  else if (kind === 'money' && namesCurrency(unit))
    sayUnit(
      checker,
      at,
      '金额已按 x-money 带币种，单位中不要再写币种（可写“/ 条”）。',
      'An amount shows its currency by x-money: leave it out of the unit (write "a segment").',
    )
}

function namesCurrency(unit: Unit): boolean {
  const texts = typeof unit === 'string' ? [unit] : [unit.zh, unit.en]
  return texts.some((text) => /[¥￥$€£元]/.test(text) || (text.match(/\b[A-Z]{3}\b/g) ?? []).some(isCurrency))
}
