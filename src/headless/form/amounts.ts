import { computedValue, formatFieldOf } from '../../schema/formats'
import type { FormNodeModel, PageField } from '../../schema/model'
import { pageField } from './node'

/** Amounts travel as decimal text, those that a linkage reckoned with the decimals of their field: boxes take no more from people. */
export const asAmount = (field: PageField | undefined, value: unknown): unknown =>
  field ? computedValue({ kind: field.kind, field: formatFieldOf(field) }, value) : value

/** Writes amounts as text wherever a node of the form says that its value is one; in rows, too. */
export const writeAmounts = (node: FormNodeModel, values: unknown): void => {
  if (typeof values !== 'object' || values === null) return
  const held = values as Record<string, unknown>
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    if (child.type === 'void') writeAmounts(child, held)
    else if (Array.isArray(held[name])) {
      if (child.items) for (const row of held[name] as unknown[]) writeAmounts(child.items, row)
    } else if (child.properties) writeAmounts(child, held[name])
    else if (name in held) held[name] = asAmount(pageField(child), held[name])
  }
}
