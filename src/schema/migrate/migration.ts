import type { BilingualText } from '../problem'

/** A JSON object of any shape. */
export type Json = Readonly<Record<string, unknown>>
/** Documents that carry a formatVersion. */
export type MigratedType = 'entity' | 'page' | 'module' | 'dictionary' | 'rules' | 'roles' | 'feature'

export interface Migration {
  /** The version that it reads; it writes the next one. */
  from: number
  /** What changed, for the compatibility table in the documentation. */
  summary: BilingualText
  /** Pure; gets a plain JSON tree and returns a new one without touching formatVersion. */
  migrate(type: MigratedType, document: Json): Json
}
