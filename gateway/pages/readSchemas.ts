import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { classify, type SourceDocument } from '../../src/schema/validate/documents'
import { StartupError } from '../platform/lifecycle'

/**
 * Every document of a schemas folder, as text, in the order of their names. Says nothing about whether they are right.
 * @throws StartupError when the folder cannot be read.
 */
export async function readSchemas(directory: string): Promise<SourceDocument[]> {
  const files = await list(directory)
  // read one after the other: more than a thousand small files wait longer for one another than for the disk
  return files.flatMap((file): SourceDocument[] => {
    const where = `schemas/${file}`
    const kind = classify(where)
    return kind ? [{ where, ...kind, text: readFileSync(join(directory, file), 'utf8') }] : []
  })
}

async function list(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => join(entry.parentPath, entry.name).slice(directory.length).replaceAll('\\', '/').replace(/^\/+/, ''))
      .sort()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError(
      'configuration',
      `the schemas cannot be read from ${directory}: ${reason}. Set SCHEMAS_DIR to the schemas folder.`,
      {
        cause: error,
      },
    )
  }
}
