/**
 * Milliseconds that synchronous work takes: of the clock or of the processor, whichever is less. On a busy machine the clock also
 * counts the turns of others; on an idle one the processor also counts what the engine does on another thread.
 */
export function timeTaken(work: () => void): number {
  const [clock, processor] = [performance.now(), process.cpuUsage()]
  work()
  const { user, system } = process.cpuUsage(processor)
  return Math.min(performance.now() - clock, (user + system) / 1000)
}
