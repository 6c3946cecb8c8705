import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromWorker, ToWorker, WorkerOptions } from './protocol'

/** A thread that runs PGlite: wire-protocol bytes in, wire-protocol bytes out, one message after the other. */
const { folder } = workerData as WorkerOptions
const port = parentPort
if (!port) throw new Error('This file is a worker.')

const say = (message: FromWorker) => port.postMessage(message)

try {
  const database = await PGlite.create({ dataDir: folder, extensions: { pg_trgm, unaccent } })
  let queue = Promise.resolve()
  port.on('message', (message: ToWorker) => {
    queue = queue.then(() => handle(database, message)).catch((error: unknown) => say({ type: 'failed', message: text(error) }))
  })
  say({ type: 'ready' })
} catch (error) {
  say({ type: 'failed', message: text(error) })
}

async function handle(database: PGlite, message: ToWorker): Promise<void> {
  if (message.type === 'close') {
    await database.close()
    say({ type: 'closed' })
    port?.close()
    return
  }
  await database.execProtocolRawStream(message.bytes, { onRawData: (bytes) => say({ type: 'bytes', bytes: bytes.slice() }) })
  say({ type: 'done' })
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
