/**
 * The five-character SQLSTATE of a database error, looked for in its causes too (drizzle wraps errors), or undefined
 * when it is not one.
 */
export function sqlState(error: unknown): string | undefined {
  const found = databaseError(error)
  return found?.code
}

/** Name of the constraint or unique index that a statement broke, when the database said so. */
export function constraintOf(error: unknown): string | undefined {
  return databaseError(error)?.constraint
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return sqlState(error) === '23505' && (constraint === undefined || constraintOf(error) === constraint)
}

/** Serialization failures and deadlocks: the same work may succeed when it is run again. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

const LOST = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08003',
  '08000',
])

/** The connection broke or the server is (re)starting: the statement may or may not have happened. */
export function isConnectionLoss(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    const code = (current as NodeJS.ErrnoException).code
    if (code && LOST.has(code)) return true
    if (
      /^Connection terminated|^Client has encountered a connection error|timeout exceeded when trying to connect|is not currently accepting connections$/.test(
        current.message,
      )
    )
      return true
  }
  return false
}

interface DatabaseFault {
  code: string
  constraint?: string
}

function databaseError(error: unknown): DatabaseFault | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code, constraint } = current as Partial<DatabaseFault>
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in current) return { code, constraint }
  }
  return undefined
}
