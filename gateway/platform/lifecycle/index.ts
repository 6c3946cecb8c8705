/** Starting and stopping: errors with exit codes, a graceful stop, worker threads. */
export { EXIT, StartupError, reportStartupError } from './startupError'
export type { ExitReason } from './startupError'
export { programHash } from './program'
export { stopGracefully, stopOnSignals } from './stop'
export type { Stoppable, StopLogger } from './stop'
export { startWorker } from './worker'
