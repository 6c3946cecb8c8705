import type pg from 'pg'
import type { DatabaseDescription, DatabaseKind } from './types'

/** What stands behind the connections: somebody's server, our own child process, or a worker thread. */
export interface Engine {
  readonly kind: DatabaseKind
  /** How to connect; credentials stay in here. */
  readonly connection: pg.ClientConfig
  /** One connection only, shared by everybody (PGlite). */
  readonly single: boolean
  /** Resolves when the engine can take connections; waits for a restart that is going on. */
  ready(): Promise<void>
  /** The engine comes back by itself after a loss, so waiting for it makes sense. */
  readonly restarts: boolean
  describe(): Omit<DatabaseDescription, 'version' | 'kind'>
  stop(): Promise<void>
}
