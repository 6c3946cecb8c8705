import { parentPort } from 'node:worker_threads'
import type { PaperContent } from './content'
import { drawPaper } from './draw'

/** Draws papers off the main thread, one after the other; see thread.ts for the other end. */
const port = parentPort!

port.on('message', ({ id, content }: { id: number; content: PaperContent }) => {
  drawPaper(content).then(
    (bytes) => port.postMessage({ id, bytes }),
    (error: unknown) => port.postMessage({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
