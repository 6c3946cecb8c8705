import { makeAccounts } from './accounts'
import type { Parties } from './edgeRows'
import { makeFigures } from './figures'
import type { Chapter } from './handovers'
import type { DemoRecord } from '../../../demo'

/** Monthly figures of customers who came to the world after the others, and what follows from them; answers the customers. */
export function figuresFor(chapter: Chapter, customers: readonly DemoRecord[]): DemoRecord[] {
  const own = { ...chapter, customers: [...customers], further: {} as Chapter['further'] }
  makeFigures(own)
  for (const [entity, rows] of Object.entries(own.further)) (chapter.further[entity] ??= []).push(...rows)
  return own.customers
}

/** Monthly figures and accounts of the customers behind `first`, as everybody has them who dealt. */
export function earn(parties: Parties, chapter: Chapter, first: number): void {
  const customers = figuresFor(chapter, parties.customers.slice(first))
  makeAccounts({ ...chapter, customers })
  parties.customers.splice(first, customers.length, ...customers)
}
