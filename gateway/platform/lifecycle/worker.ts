import { Worker } from 'node:worker_threads'
import type { WorkerOptions } from 'node:worker_threads'

/**
 * Starts a worker thread from a source file named `<name>.worker.ts`.
 *
 * The same call works in all three ways in which the gateway runs: from TypeScript sources under tsx or vitest (the
 * worker loads tsx itself), and from the bundle, where the build makes one entry `<name>.worker.js` of every
 * `gateway/**\/*.worker.ts` beside the main file. So the base names of worker files are unique in the gateway.
 *
 * @param callerUrl `import.meta.url` of the calling module
 * @param source path of the worker relative to the caller, with its extension: `'./pglite.worker.ts'`
 */
export function startWorker(callerUrl: string, source: string, options: WorkerOptions = {}): Worker {
  if (callerUrl.endsWith('.ts')) {
    const target = new URL(source, callerUrl).href
    const tsx = import.meta.resolve('tsx/esm/api')
    const start = `import(${JSON.stringify(tsx)}).then((tsx) => { tsx.register(); return import(${JSON.stringify(target)}) })`
    return new Worker(start, { ...options, eval: true })
  }
  const name = source.slice(source.lastIndexOf('/') + 1).replace(/\.ts$/, '.js')
  return new Worker(new URL(`./${name}`, callerUrl), options)
}
