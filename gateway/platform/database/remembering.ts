import { bind } from './statement'
import type { Executor, QueryResult, Statement } from './types'

/**
 * The same database for reads whose answers do not change while it is used: a statement with the same parameters is asked once.
 * Whoever uses it must not change what it reads.
 */
export function remembering<Db extends Executor>(db: Db): Db {
  if (made.has(db)) return db
  const answers = new Map<string, Map<string, Promise<QueryResult<object>>>>()
  const query = (statement: Statement, params: readonly unknown[] = []): Promise<QueryResult<object>> => {
    const { text, values } = bind(statement, params)
    const known = answers.get(text) ?? new Map<string, Promise<QueryResult<object>>>()
    answers.set(text, known)
    const key = JSON.stringify(values)
    const answer = known.get(key) ?? db.query(text, values)
    known.set(key, answer)
    return answer
  }
  const same = Object.assign(Object.create(db) as Db, { query })
  made.set(same, new Map())
  return same
}

const made = new WeakMap<Executor, Map<string, Promise<unknown>>>()

/** What is made of the answers of a database that remembers is made once as well; of another database it is made anew each time. */
export function madeOnce<Value>(db: Executor, key: string, make: () => Promise<Value>): Promise<Value> {
  const known = made.get(db)
  if (!known) return make()
  // a key belongs to one maker, so that the value has the maker's type
  const value = (known.get(key) as Promise<Value> | undefined) ?? make()
  known.set(key, value)
  return value
}
