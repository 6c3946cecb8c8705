import { createContext, use } from 'react'
import type { DictionaryDocument } from '../../../schema/generated/dictionary'
import type { JsonObject } from '../../../schema/overlay'
import type { BilingualText, Problem } from '../../../schema/problem'
import type { Labels } from '../language/labels'
import type { Language } from '../language/meta'

/** What is known around the document. It stays the same while somebody types, so that whatever reads only this stays as it is. */
export interface Surroundings {
  language: Language
  entities: readonly { name: string; label: BilingualText }[]
  dictionaries: Readonly<Record<string, DictionaryDocument>>
  permissions: readonly string[]
  /** Roles that people can hold; without them their codes are typed. */
  roles?: readonly { code: string; name: BilingualText }[]
  /** What modules can do in effects, with what others give them; without it their names are typed. */
  verbs?: readonly { name: string; usedBy: readonly BilingualText[]; with: Readonly<Record<string, unknown>> }[]
  /** All dictionaries, also those that the page does not use. */
  dictionaryNames: readonly { name: string; label: BilingualText }[]
  /** The document without changes; null: it is new. */
  base: JsonObject | null
  /** Takes a new document; edits with the same key shortly after each other are one step of undo. */
  edit(document: JsonObject, key?: string | null): void
  /** Sets what stands at an address; undefined takes it away. */
  change(at: string, value: unknown): void
}

/** What the controls of the designer read: the document and what is known around it. */
export interface Design extends Surroundings {
  document: JsonObject
  labels: Labels
}

export const SurroundingsContext = createContext<Surroundings | null>(null)
export const DesignContext = createContext<Design | null>(null)

/** What is wrong with the document, by the addresses of the words. */
export const ProblemsContext = createContext<ReadonlyMap<string, readonly Problem[]>>(new Map())

const inside = <T>(value: T | null): T => {
  if (value === null) throw new Error('A part of the page designer stands outside of its Workbench.')
  return value
}

export const useSurroundings = (): Surroundings => inside(use(SurroundingsContext))
/** Whoever reads the document is drawn anew at each of its changes. */
export const useDesign = (): Design => inside(use(DesignContext))

const NOTHING: readonly Problem[] = []
/** The problems of one word: they stand at its control. */
export const useProblemsAt = (at: string): readonly Problem[] => use(ProblemsContext).get(at) ?? NOTHING
