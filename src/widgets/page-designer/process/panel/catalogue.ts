import { createContext, use } from 'react'
import type { Catalogue } from '../types'

export const CatalogueContext = createContext<Catalogue | null>(null)

/** What the designer chooses from. */
export const useCatalogue = (): Catalogue => {
  const catalogue = use(CatalogueContext)
  if (!catalogue) throw new Error('A part of the designer of processes stands outside of it.')
  return catalogue
}
