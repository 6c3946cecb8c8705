import { vi } from 'vitest'
import type { Transaction } from '../../../../gateway/platform/database'

/** How many statements some work sends over a transaction. */
export async function countingStatements(tx: Transaction, work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(tx, 'query')
  try {
    await work()
    return query.mock.calls.length
  } finally {
    query.mockRestore()
  }
}
