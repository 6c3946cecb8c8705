import type { BilingualText } from '../problem'
import { fromVersion0 } from './from0'
import { fromVersion1 } from './from1'
import { fromVersion2 } from './from2'
import type { Json, MigratedType, Migration } from './migration'

/** In their order: each takes a document one version further. A new format adds a line here and a pair of fixtures. */
export const MIGRATIONS: readonly Migration[] = [fromVersion0, fromVersion1, fromVersion2]

/** The version in which documents are written now. */
export const PRESENT_VERSION = 3

export type MigrationResult = { ok: true; value: unknown; from: number } | { ok: false; version: unknown; message: BilingualText }

const MIGRATED: ReadonlySet<string> = new Set<MigratedType>([
  'entity',
  'page',
  'module',
  'dictionary',
  'rules',
  'roles',
  'feature',
])

/**
 * Brings a document to the present format. A document of the present version comes back as it is (the same object).
 * A version that is missing, unknown or newer than this release is refused. Never throws for plain JSON trees.
 */
export const migrateDocument = (type: string, document: unknown): MigrationResult => {
  if (!MIGRATED.has(type) || typeof document !== 'object' || document === null || Array.isArray(document)) {
    return { ok: true, value: document, from: PRESENT_VERSION }
  }
  const version = (document as Json).formatVersion
  if (version === PRESENT_VERSION) return { ok: true, value: document, from: PRESENT_VERSION }
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0) {
    return {
      ok: false,
      version,
      message: {
        zh: `formatVersion 须是 0 到 ${PRESENT_VERSION} 的整数。`,
        en: `formatVersion must be a whole number from 0 to ${PRESENT_VERSION}.`,
      },
    }
  }
  if (version > PRESENT_VERSION) {
    return {
      ok: false,
      version,
      message: {
        zh: `文档的格式版本是 ${version}，本版本只认识到 ${PRESENT_VERSION}：请先升级。`,
        en: `The document has format version ${version}, this release knows up to ${PRESENT_VERSION}: upgrade first.`,
      },
    }
  }
  let value = document as Json
  for (const step of MIGRATIONS) {
    if (step.from >= version && step.from < PRESENT_VERSION)
      value = { ...step.migrate(type as MigratedType, value), formatVersion: step.from + 1 }
  }
  return { ok: true, value, from: version }
}
