import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Hash of the program that runs: of its entry, which names all its other files by their content. Undefined where it runs from its
 * sources, any of which may change without another name.
 */
export async function programHash(): Promise<string | undefined> {
  const own = fileURLToPath(import.meta.url)
  if (!own.endsWith('.js')) return undefined
  return createHash('sha256')
    .update(await readFile(join(dirname(own), 'main.js')))
    .digest('base64url')
}
