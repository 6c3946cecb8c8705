import { createContext, use } from 'react'
import type { Words } from '../words'
import type { Place } from '../tree/tree'

/** What a dry run says of a step or branch. */
export interface Trail {
  taken: boolean
  /** Who would decide. */
  people?: string
  why?: string
}

/** What the parts of the canvas read besides their own step. */
export interface CanvasParts {
  words: Words
  /** Number of problems by step or branch. */
  faults: ReadonlyMap<string, number>
  /** Result of a dry run; null: none is shown. */
  trail: ReadonlyMap<string, Trail> | null
  /** Where the dragged step would stand. */
  drop: Place | null
  /** Steps that fit what is searched for; null: nothing is. */
  found: ReadonlySet<string> | null
  /** Asks what to add there; the point is one of the window. */
  onAdd(place: Place, point: { x: number; y: number }): void
  onAddBranch(node: string): void
}

export const CanvasContext = createContext<CanvasParts | null>(null)

export const useCanvas = (): CanvasParts => {
  const parts = use(CanvasContext)
  if (!parts) throw new Error('A part of the canvas stands outside of it.')
  return parts
}

export const samePlace = (a: Place | null, b: Place | null): boolean =>
  a === b ||
  (a !== null && b !== null && a.index === b.index && a.owner?.node === b.owner?.node && a.owner?.branch === b.owner?.branch)
