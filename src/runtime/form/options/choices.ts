import { isExpression } from '../../../schema/expression'
import { formatFieldOf, formatOf } from '../../../schema/formats'
import type { OptionsModel } from '../../../schema/model'
import type { Host } from '../../../headless/host'
import type { Refs } from '../../../headless/row'
import { evaluateIn } from '../../../headless/form/expressions'
import { isEmpty } from './request'

type Value = string | number | boolean

/** A choice as all controls take it: lists, trees (`title`) and tables (`key`, and the cells of the row). */
export interface Option {
  label: string
  title: string
  value: Value
  key: Value
  children?: readonly Option[]
  /** Offered no more, and shown where it is chosen. */
  retired?: boolean
  disabled?: boolean
  color?: unknown
}

interface Making {
  options: OptionsModel
  host: Host
  scope: object
  refs: Refs
  /** Tables show the cells of the rows. */
  cells: boolean
  /** What `when` leaves out is there for the names of what is chosen. */
  keepsAll: boolean
}

type Cells = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Cells => value !== null && typeof value === 'object'

const valueOf = (value: unknown): Value => (typeof value === 'number' || typeof value === 'boolean' ? value : String(value))

/** The choices that rows make, each value once; rows below a parent, or in a member of theirs, make a tree. */
export const choicesFrom = (rows: readonly unknown[], making: Making): readonly Option[] => {
  const { options } = making
  const seen = new Set<Value>()
  const made = rows.flatMap((row) => {
    const choice = choiceOf(row, making)
    if (!choice || seen.has(choice.value)) return []
    seen.add(choice.value)
    return [{ row, choice }]
  })
  const { parent } = options
  if (parent === undefined) return made.map(({ choice }) => choice)
  const below = new Map<Value | null, Option[]>()
  for (const { row, choice } of made) {
    const above = isRow(row) ? row[parent] : undefined
    const at = !isEmpty(above) && seen.has(valueOf(above)) && above !== choice.value ? valueOf(above) : null
    below.set(at, [...(below.get(at) ?? []), choice])
  }
  const treeOf = (at: Value | null): Option[] =>
    (below.get(at) ?? []).map((choice) => (below.has(choice.value) ? { ...choice, children: treeOf(choice.value) } : choice))
  return treeOf(null)
}

function choiceOf(row: unknown, making: Making): Option | undefined {
  const { options, scope, cells, keepsAll } = making
  const over = (text: string): unknown => evaluateIn(text, Object.create(scope, { row: { value: row } }) as object)
  const left = options.when !== undefined && !over(options.when)
  if (left && !keepsAll) return undefined
  const label = labelOf(row, making, over)
  const value = options.value === undefined || !isRow(row) ? (isRow(row) ? label : row) : row[options.value]
  if (isEmpty(value) || isRow(value)) return undefined
  const worth = valueOf(value)
  const name = isEmpty(label) ? String(worth) : String(label)
  const inside = options.children !== undefined && isRow(row) ? row[options.children] : undefined
  return {
    ...(cells && isRow(row) ? row : {}),
    ...(isRow(row) && options.from.type === 'values' ? { color: row.color } : {}),
    ...(left || (isRow(row) && row.retired === true) ? { retired: true, disabled: true } : {}),
    label: name,
    title: name,
    value: worth,
    key: worth,
    ...(Array.isArray(inside) && inside.length > 0 ? { children: choicesFrom(inside, making) } : {}),
  }
}

function labelOf(row: unknown, { options, host, refs }: Making, over: (text: string) => unknown): unknown {
  const { label, shown } = options
  if (label === undefined) return isRow(row) ? undefined : row
  if (isExpression(label)) return over(label)
  const value = isRow(row) ? row[label] : row
  if (!shown || isEmpty(value)) return value
  return formatOf(shown.kind).show(value, formatFieldOf(shown), {
    locale: host.locale,
    timeZone: host.timeZone,
    refTitle: (entity, id) => refs[entity]?.[id]?.title,
  })
}

/** Every value that is offered, at any depth. */
export const valuesIn = (choices: readonly Option[]): Set<Value> =>
  new Set(choices.flatMap((choice) => [...(choice.retired ? [] : [choice.value]), ...valuesIn(choice.children ?? [])]))
