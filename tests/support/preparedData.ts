import { cpSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names the folder of this run to its workers. */
const PLACE = 'SWITCHBOARD_TEST_DATA'

/** Before the tests of a run: a folder for the data folders that they share. What it answers removes it after the tests. */
export function prepareData(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-data-'))
  process.env[PLACE] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/**
 * Copies the data folder of that name, which is a fifth of the time of making it. Whoever comes first makes it; the other
 * workers wait for that. Outside of a run it is made in its place.
 */
export async function copyData(name: string, to: string, make: (dataDir: string) => Promise<void>): Promise<void> {
  const place = process.env[PLACE]
  if (place === undefined) return make(to)
  const [making, made] = [join(place, `${name}.making`), join(place, name)]
  while (!existsSync(made)) {
    if (isFirst(making)) {
      try {
        await make(making)
        renameSync(making, made)
      } catch (error) {
        rmSync(making, { recursive: true, force: true })
        throw error
      }
    } else await new Promise((wake) => setTimeout(wake, 200))
  }
  const files = join(made, 'files')
  cpSync(made, to, { recursive: true, filter: (one) => one !== files })
  if (existsSync(files)) linkFiles(files, join(to, 'files'))
}

/** The files of the store are thousands, and never written into: a second name for each does. */
function linkFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const one of readdirSync(from, { withFileTypes: true })) {
    const [there, here] = [join(from, one.name), join(to, one.name)]
    if (one.isDirectory()) linkFiles(there, here)
    else linkSync(there, here)
  }
}

/** Making a folder is one step for the system: one of many succeeds. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
