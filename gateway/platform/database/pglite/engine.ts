import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type pg from 'pg'
import { startWorker, StartupError } from '../../lifecycle/index'
import type { Engine } from '../engine'
import { makeFolder } from '../folderLock'
import type { FolderLock } from '../folderLock'
import type { FromWorker, ToWorker, WorkerOptions } from './protocol'
import { WireStream } from './wire'

export function pgliteFolder(dataDir: string): string {
  return join(dataDir, 'pglite')
}

interface Turn {
  bytes: Uint8Array
  onBytes: (bytes: Uint8Array) => void
  resolve: () => void
  reject: (error: Error) => void
}

/** PostgreSQL in WebAssembly, in a thread of its own so that its work does not stop the server. One connection. */
export class PgliteEngine implements Engine {
  readonly kind = 'pglite'
  readonly single = true
  readonly restarts = false
  private turns: Turn[] = []
  private failure: Error | undefined
  private closed: (() => void) | undefined

  private constructor(
    private readonly worker: Worker,
    private readonly folder: string,
    private readonly lock: FolderLock,
    private readonly note: string,
  ) {
    worker.on('message', (message: FromWorker) => this.receive(message))
    worker.on('error', (error) => this.fail(error))
    worker.on('exit', () => {
      this.fail(new Error('The database thread ended.'))
      this.closed?.()
    })
  }

  /** @param why said at the start: why this and not PostgreSQL */
  static async start(dataDir: string, lock: FolderLock, why: string): Promise<PgliteEngine> {
    const folder = pgliteFolder(dataDir)
    makeFolder(folder)
    const workerData: WorkerOptions = { folder }
    const worker = startWorker(import.meta.url, './pglite.worker.ts', { workerData })
    try {
      await new Promise<void>((resolve, reject) => {
        worker.once('message', (message: FromWorker) =>
          message.type === 'failed' ? reject(new Error(message.message)) : resolve(),
        )
        worker.once('error', reject)
      })
    } catch (cause) {
      await worker.terminate()
      const detail = cause instanceof Error ? cause.message : String(cause)
      throw new StartupError(
        'damaged',
        `the database in ${folder} cannot be opened (${detail}); restore the data folder from a back-up, or start afresh with "npm start -- --reset".`,
        { cause },
      )
    }
    worker.removeAllListeners('message')
    worker.removeAllListeners('error')
    return new PgliteEngine(
      worker,
      folder,
      lock,
      `PGlite (PostgreSQL in WebAssembly) is used: ${why}. It is slower and runs one statement at a time.`,
    )
  }

  get connection(): pg.ClientConfig {
    return { user: 'postgres', database: 'postgres', ssl: false, stream: () => this.connect() }
  }

  ready(): Promise<void> {
    return this.failure ? Promise.reject(this.failure) : Promise.resolve()
  }

  describe() {
    return { location: `PGlite in ${this.folder}`, folder: this.folder, notes: [this.note] }
  }

  async stop(): Promise<void> {
    try {
      if (!this.failure) {
        const closed = new Promise<void>((resolve) => (this.closed = resolve))
        this.post({ type: 'close' })
        await closed
      }
      await this.worker.terminate()
    } finally {
      this.lock.release()
    }
  }

  private connect(): WireStream {
    return new WireStream(
      (bytes, onBytes) =>
        new Promise((resolve, reject) => {
          if (this.failure) return reject(this.failure)
          this.turns.push({ bytes, onBytes, resolve, reject })
          this.post({ type: 'bytes', bytes: Uint8Array.from(bytes) })
        }),
    )
  }

  private receive(message: FromWorker): void {
    if (message.type === 'closed') return this.closed?.()
    if (message.type === 'bytes') return this.turns[0]?.onBytes(message.bytes)
    const turn = this.turns.shift()
    if (message.type === 'done') turn?.resolve()
    else if (message.type === 'failed') turn?.reject(new Error(message.message))
  }

  private fail(error: Error): void {
    this.failure ??= error
    for (const { reject } of this.turns.splice(0)) reject(error)
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message)
  }
}
