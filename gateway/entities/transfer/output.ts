import { once } from 'node:events'
import { finished } from 'node:stream/promises'

/** A writable stream as a place for chunks that waits until it can take more. */
export class Output {
  private failure: Error | undefined

  constructor(private readonly stream: NodeJS.WritableStream) {
    stream.once('error', (error: Error) => (this.failure = error))
  }

  async write(chunk: Uint8Array | string): Promise<void> {
    if (this.failure) throw this.failure
    if (!this.stream.writable) throw new Error('The receiver of the file went away.')
    if (this.stream.write(chunk)) return
    await Promise.race([
      once(this.stream, 'drain'),
      once(this.stream, 'close').then(() => Promise.reject(this.failure ?? new Error('The receiver of the file went away.'))),
    ])
  }

  /** Ends the stream and waits until everything has left it. */
  async end(): Promise<void> {
    if (this.failure) throw this.failure
    const done = finished(this.stream)
    this.stream.end()
    await done
  }
}

/** A file of rows under construction. Cells come typed; what they look like is the writer's business. */
export interface SheetWriter {
  start(titles: readonly string[]): Promise<void>
  rows(rows: readonly (readonly SheetCell[])[]): Promise<void>
  /** Writes the end; the stream stays open. */
  finish(): Promise<void>
}

export type SheetCell =
  | { type: 'empty' }
  | { type: 'text'; value: string }
  | { type: 'boolean'; value: boolean }
  | { type: 'number'; value: string; pattern: string }
  | { type: 'date'; value: string; pattern: string }
