import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '../../src/schema'
import { programHash } from '../platform/lifecycle'

const FILE = 'checked-schemas.json'

interface Note {
  /** The program that checked them. */
  program: string
  /** Hash of the documents. */
  documents: string
  /** What could be better about them. */
  problems: readonly Problem[]
}

/**
 * A note in the data folder about the documents that this program found right, with its warnings: a next start reads them without
 * checking them against each other again. Another program, or another document, is not what it speaks of.
 */
export class CheckNote {
  constructor(
    private readonly folder: string,
    private readonly program: string,
  ) {}

  /** Undefined where the program runs from its sources: it checks at every start. */
  static async in(folder: string): Promise<CheckNote | undefined> {
    const program = await programHash()
    return program === undefined ? undefined : new CheckNote(folder, program)
  }

  /** Warnings about documents that were found right; undefined when these were not. */
  async read(documents: string): Promise<readonly Problem[] | undefined> {
    try {
      const note = JSON.parse(await readFile(join(this.folder, FILE), 'utf8')) as Note
      return note.program === this.program && note.documents === documents ? note.problems : undefined
    } catch {
      // No note, or half of one: the documents are checked.
      return undefined
    }
  }

  async write(documents: string, problems: readonly Problem[]): Promise<void> {
    const note: Note = { program: this.program, documents, problems }
    const draft = join(this.folder, `${FILE}.${process.pid}`)
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    await writeFile(draft, JSON.stringify(note))
    await rename(draft, join(this.folder, FILE))
  }
}
