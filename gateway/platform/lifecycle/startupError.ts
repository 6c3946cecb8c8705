/**
 * Why the gateway cannot start, as one sentence for the person at the terminal.
 *
 * The exit codes are those of sysexits.h, so that a service manager can tell a mistake in the configuration
 * (do not try again) from a condition that may pass (try again).
 */
export const EXIT = {
  /** A command line or a call that is wrong. */
  usage: 64,
  /** The data folder is damaged or was made by something else. */
  damaged: 65,
  /** A server that we need does not answer, or the port is taken. */
  unavailable: 69,
  /** A fault of the program itself. */
  internal: 70,
  /** The disk is full or a folder cannot be written. */
  cannotWrite: 73,
  /** Somebody else holds the data folder. */
  locked: 75,
  /** The configuration is wrong. */
  configuration: 78,
} as const

export type ExitReason = keyof typeof EXIT

export class StartupError extends Error {
  override readonly name: string = 'StartupError'
  readonly reason: ExitReason
  readonly exitCode: number

  /** @param message one sentence or a short list: what, where, why, and what to do. */
  constructor(reason: ExitReason, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.reason = reason
    this.exitCode = EXIT[reason]
  }
}

/**
 * Prints why the start failed and returns the exit code. A StartupError is its own message; anything else is a fault
 * of ours and is printed with its stack.
 */
export function reportStartupError(
  error: unknown,
  write: (text: string) => void = (text) => void process.stderr.write(text),
): number {
  const known = asStartupError(error)
  if (known) {
    write(`\nSwitchboard cannot start: ${known.message}\n`)
    return known.exitCode
  }
  const shown = error instanceof Error ? (error.stack ?? error.message) : String(error)
  write(`\nSwitchboard cannot start because of a fault of its own:\n${shown}\n`)
  return EXIT.internal
}

/** Operating-system errors that any step of the start can meet, in words. */
function asStartupError(error: unknown): StartupError | undefined {
  if (error instanceof StartupError) return error
  if (!(error instanceof Error)) return undefined
  const { code, path, syscall, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  const at = path ? ` (${path})` : ''
  if (code === 'EADDRINUSE') {
    return new StartupError(
      'unavailable',
      `port ${port} is taken by another program; stop it, or choose another port with PORT=<number>.`,
      { cause: error },
    )
  }
  if (syscall === 'listen' && (code === 'EACCES' || code === 'EADDRNOTAVAIL')) {
    const why = code === 'EACCES' ? 'this user may not open it' : 'this machine does not have that address'
    return new StartupError('unavailable', `cannot listen on ${address ?? ''}:${port}: ${why}; set HOST and PORT.`, {
      cause: error,
    })
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StartupError('cannotWrite', `the disk is full${at}; free some space and start again.`, { cause: error })
  }
  if ((code === 'EACCES' || code === 'EPERM' || code === 'EROFS') && path) {
    return new StartupError(
      'cannotWrite',
      `${path} cannot be written or read by this user (${code}); give it to this user, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
  return undefined
}
