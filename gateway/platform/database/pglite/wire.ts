import { Duplex } from 'node:stream'

/** Sends bytes to the engine; `onBytes` gets what comes back, the promise resolves when the answer is complete. */
export type Exchange = (bytes: Uint8Array, onBytes: (bytes: Uint8Array) => void) => Promise<void>

const TERMINATE = 0x58

/**
 * Looks like a network connection to node-postgres and is a conversation with the PGlite worker: so the same client,
 * types and errors are used as with a server.
 */
export class WireStream extends Duplex {
  constructor(private readonly exchange: Exchange) {
    super()
  }

  /** node-postgres calls these of a socket. */
  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _read(): void {
    // Data is pushed when it arrives.
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    // "Terminate" would end the engine, which outlives its connections.
    if (chunk[0] === TERMINATE && chunk.length === 5) {
      this.push(null)
      done()
      return
    }
    this.exchange(chunk, (bytes) => void this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))).then(
      () => done(),
      done,
    )
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }
}
