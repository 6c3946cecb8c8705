/** What the gateway's thread and the PGlite worker say to each other. Bytes are PostgreSQL's own wire protocol. */
export interface WorkerOptions {
  /** Folder on disk, made when missing. */
  folder: string
}

export type ToWorker = { type: 'bytes'; bytes: Uint8Array } | { type: 'close' }

export type FromWorker =
  | { type: 'ready' }
  | { type: 'failed'; message: string }
  | { type: 'bytes'; bytes: Uint8Array }
  | { type: 'done' }
  | { type: 'closed' }
