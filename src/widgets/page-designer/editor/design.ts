import { createContext, use } from 'react'
import type { DictionaryDocument } from '../../../schema/generated/dictionary'
import type { JsonObject } from '../../../schema/overlay'
import type { BilingualText } from '../../../schema/problem'
import type { Labels } from '../language/labels'
import type { Language } from '../language/meta'

/** What the controls of the designer read: the document and what is known around it. */
export interface Design {
  document: JsonObject
  language: Language
  labels: Labels
  entities: readonly { name: string; label: BilingualText }[]
  dictionaries: Readonly<Record<string, DictionaryDocument>>
  permissions: readonly string[]
  /** All dictionaries, also those that the page does not use. */
  dictionaryNames: readonly { name: string; label: BilingualText }[]
  /** The document without changes; null: it is new. */
  base: JsonObject | null
  /** Takes a new document; edits with the same key shortly after each other are one step of undo. */
  edit(document: JsonObject, key?: string | null): void
}

const DesignContext = createContext<Design | null>(null)

export const DesignProvider = DesignContext.Provider

export const useDesign = (): Design => {
  const design = use(DesignContext)
  if (!design) throw new Error('useDesign() was called outside a DesignProvider.')
  return design
}
