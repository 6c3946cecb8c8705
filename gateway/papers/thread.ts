import type { Worker } from 'node:worker_threads'
import { startWorker } from '../platform/lifecycle'
import type { PaperContent } from './content'

/** Megabytes that drawing may take. */
const MEMORY = 384
/** Milliseconds without anything to draw after which the thread ends. */
const IDLE = 120_000

interface Waiting {
  resolve(bytes: Buffer): void
  reject(error: Error): void
}

let worker: Worker | null = null
let idle: NodeJS.Timeout | undefined
let asked = 0
const waiting = new Map<number, Waiting>()

function fail(error: Error): void {
  worker = null
  for (const { reject } of waiting.values()) reject(error)
  waiting.clear()
}

function running(): Worker {
  if (worker) return worker
  const started = startWorker(import.meta.url, './paper.worker.ts', { resourceLimits: { maxOldGenerationSizeMb: MEMORY } })
  worker = started
  started.on('error', fail)
  started.on('exit', () => {
    if (worker === started) fail(new Error('The thread that draws papers ended.'))
  })
  started.on('message', ({ id, bytes, error }: { id: number; bytes?: Uint8Array; error?: string }) => {
    const one = waiting.get(id)
    waiting.delete(id)
    if (bytes) one?.resolve(Buffer.from(bytes))
    else one?.reject(new Error(error ?? 'nothing was drawn'))
    if (waiting.size === 0) rest(started)
  })
  return started
}

/** Keeps the thread with its open face for a while, but no process alive. */
function rest(started: Worker): void {
  started.unref()
  idle = setTimeout(() => {
    if (worker === started) worker = null
    void started.terminate()
  }, IDLE).unref()
}

/** The bytes of a paper (PDF), drawn in a thread of its own. @throws Error when it cannot be drawn */
export function draw(content: PaperContent): Promise<Buffer> {
  clearTimeout(idle)
  const thread = running()
  thread.ref()
  const id = (asked += 1)
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    thread.postMessage({ id, content })
  })
}
