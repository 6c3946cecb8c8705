import type { Executor, QueryResult, Statement } from './types'

/**
 * The same database for reads whose answers do not change while it is used: a plain statement with the same parameters is asked once.
 * Whoever uses it must not change what it reads.
 */
export function remembering(db: Executor): Executor {
  const answers = new Map<string, Map<string, Promise<QueryResult<object>>>>()
  const query = (statement: Statement, params: readonly unknown[] = []): Promise<QueryResult<object>> => {
    if (typeof statement !== 'string') return db.query(statement, params)
    const known = answers.get(statement) ?? new Map<string, Promise<QueryResult<object>>>()
    answers.set(statement, known)
    const key = JSON.stringify(params)
    const answer = known.get(key) ?? db.query(statement, params)
    known.set(key, answer)
    return answer
  }
  return Object.assign(Object.create(db) as Executor, { query })
}
