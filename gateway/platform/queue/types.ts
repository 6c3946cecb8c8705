import type { Database, DatabaseLogger } from '../database'

/** Something to do. Of one key at most one message waits and one is worked on, over all gateways. */
export interface Message {
  key: string
  data?: object
  /** Not before this moment of the company's clock; default now. */
  at?: Date
  /** Of what waits for the same moment, the lower goes first; default 0. */
  behind?: number
}

/** A message as it is handed to its handler. */
export interface Work<Data> {
  key: string
  data: Data
  /** The moment that it waited for. */
  at: Date
  /** By the company's clock. */
  now: Date
  /** 1 at first; more when the gateway before died of it, or the handler failed. */
  attempt: number
  /** The gateway stops, or the message is not ours any more. Who throws then is begun anew later. */
  signal: AbortSignal
}

/** What follows: nothing, or the same message again at a moment. */
export interface Outcome {
  again?: Date
  data?: object
  /** There was something to do. */
  did?: boolean
}

/** A kind of message, and who works on it. */
export interface Line<Data> {
  name: string
  /** Messages that one gateway works on at the same time; default 1. */
  concurrency?: number
  /** What happens to a message whose handler throws or whose gateway dies. */
  retry?: { limit: number; delaySeconds?: number; backoff?: boolean }
  handle(work: Work<Data>): Promise<Outcome | void>
}

export interface QueueOptions {
  database: Database
  logger: DatabaseLogger
  /** The company's clock, which may be moved where things are tried out. */
  now: () => Date
  /** Schema of the queue's tables. */
  schema?: string
}
