import type { EntityField } from '../generated/entity'

export type Rollup = NonNullable<EntityField['x-rollup']>
type Function = 'count' | 'sum' | 'min' | 'max' | 'last'

/** The entity of the records that are summed up, and their reference to this one. */
export function splitRollup({ of }: Pick<Rollup, 'of'>): { entity: string; reference: string } {
  const dot = of.lastIndexOf('.')
  return { entity: of.slice(0, dot), reference: of.slice(dot + 1) }
}

/** What is kept over them, and of which field. */
export function measureOf(rollup: Rollup): { function: Function; field?: string } {
  for (const name of ['sum', 'min', 'max', 'last'] as const) {
    const field = rollup[name]
    if (field !== undefined) return { function: name, field }
  }
  return { function: 'count' }
}
