import { finished } from 'node:stream/promises'
import { Writable } from 'node:stream'

/** A writable stream as a place for chunks that waits until it can take more. */
export class Output {
  private failure: Error | undefined
  private waiting: (() => void) | undefined

  constructor(private readonly stream: NodeJS.WritableStream) {
    stream.on('drain', () => this.wake())
    stream.on('error', (error: Error) => this.wake(error))
    stream.on('close', () => this.wake(stream.writable ? new Error('The receiver of the file went away.') : undefined))
  }

  async write(chunk: Uint8Array | string): Promise<void> {
    this.check()
    if (this.stream.write(chunk)) return
    await new Promise<void>((resolve) => (this.waiting = resolve))
    this.check()
  }

  /** Ends the stream and waits until everything has left it. */
  async end(): Promise<void> {
    this.check()
    const done = finished(this.stream)
    this.stream.end()
    await done
  }

  private check(): void {
    if (this.failure) throw this.failure
    if (!this.stream.writable) throw new Error('The receiver of the file went away.')
  }

  private wake(failure?: Error): void {
    this.failure ??= failure
    this.waiting?.()
    this.waiting = undefined
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

/** Everything that a writer writes, in memory: for small files only. */
export async function collectStream(write: (stream: Writable) => Promise<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  await write(stream)
  return Buffer.concat(chunks)
}
