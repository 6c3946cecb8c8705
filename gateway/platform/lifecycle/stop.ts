/** What the gateway closes when it stops, in this order. Each part may be absent while the start is still going on. */
export interface Stoppable {
  /** Ends the long answers (event streams, running exports), which would otherwise hold the server open. */
  endStreams?: () => void | Promise<void>
  /** Refuses new requests and resolves when those in flight are answered (`app.close()`). */
  closeServer?: () => Promise<void>
  /** Cuts the connections that are still open after the patience is over (`server.closeAllConnections()`). */
  cutConnections?: () => void
  /** Stops timers and job workers. */
  stopJobs?: () => Promise<void>
  /** Closes the database; the embedded one is stopped cleanly. */
  closeDatabase?: () => Promise<void>
}

export interface StopLogger {
  info: (details: object, message: string) => void
  error: (details: object, message: string) => void
}

/** Milliseconds that requests in flight get before their connections are cut. */
export const STOP_PATIENCE = 10_000

/**
 * Stops everything once, in order: streams, server (with patience), jobs, database. A step that fails does not keep
 * the next one from running. Returns the number of steps that failed.
 */
export async function stopGracefully(parts: Stoppable, logger: StopLogger, patience = STOP_PATIENCE): Promise<number> {
  let failed = 0
  const step = async (name: string, work: (() => void | Promise<void>) | undefined) => {
    if (!work) return
    try {
      await work()
    } catch (error) {
      failed += 1
      logger.error({ error: error instanceof Error ? error.message : String(error) }, `stopping: ${name} failed`)
    }
  }
  await step('streams', parts.endStreams)
  await step('server', async () => {
    if (!parts.closeServer) return
    const timer = setTimeout(() => {
      logger.info({ patience }, 'stopping: requests took too long and are cut')
      parts.cutConnections?.()
    }, patience)
    try {
      await parts.closeServer()
    } finally {
      clearTimeout(timer)
    }
    parts.cutConnections?.()
  })
  await step('jobs', parts.stopJobs)
  await step('database', parts.closeDatabase)
  return failed
}

/** Milliseconds in which a second signal is the echo of the first: Ctrl-C reaches every program of a terminal, and npm passes it on. */
const ECHO = 1_000

/**
 * Runs `stop` once at the first SIGINT, SIGTERM or SIGHUP and then leaves with 0 (1 when a step failed). Another
 * signal, a second later or more, leaves at once. Returns a function that takes the handlers away again (for tests).
 */
export function stopOnSignals(
  stop: () => Promise<number>,
  exit: (code: number) => void = (code) => process.exit(code),
): () => void {
  let since = 0
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const onSignal = () => {
    if (since > 0) {
      if (Date.now() - since > ECHO) exit(130)
      return
    }
    since = Date.now()
    stop().then(
      (failed) => exit(failed === 0 ? 0 : 1),
      () => exit(1),
    )
  }
  for (const signal of signals) process.on(signal, onSignal)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
