import type { ListState } from './types'

/** Rows that are counted while those of a page are read; the number of more is asked for afterwards. */
export const COUNTED_WITH_ROWS = 10_000

/** The total as it is known: "10,000+" while more rows than that are being counted. */
export const shownTotal = ({ total, totalAtLeast }: ListState, number: (value: number) => string): string =>
  `${number(total)}${totalAtLeast ? '+' : ''}`

/** Name under which the ids of the shown rows are kept, so that a detail knows its neighbours. */
export const neighboursKey = (entity: string): string => `list-ids:${entity}`
