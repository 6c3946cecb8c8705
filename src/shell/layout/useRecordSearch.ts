import { useCallback, useEffect, useState } from 'react'
import { RequestError } from '../../headless/host'
import type { FoundRecords } from '../../schema/model'
import type { BilingualText } from '../../schema/problem'
import type { Http } from '../http/client'

/** Milliseconds without a key before the gateway is asked. */
const SETTLE = 180
/** Characters from which records are looked for. */
export const LEAST_TYPED = 2

export type RecordSearch =
  | { state: 'idle' }
  | { state: 'searching' }
  | { state: 'found'; found: FoundRecords }
  | { state: 'failed'; message: string | null }

/** What was answered for which words. */
interface Answered {
  words: string
  result: RecordSearch
}

/** Records for what is typed. An answer to earlier words is never shown: it is asked for no longer. */
export function useRecordSearch(http: Pick<Http, 'request'>, typed: string): RecordSearch & { again: () => void } {
  const words = typed.trim().slice(0, 100)
  const [answered, setAnswered] = useState<Answered | null>(null)
  const [attempt, setAttempt] = useState(0)
  const isAsked = [...words].length >= LEAST_TYPED

  useEffect(() => {
    if (!isAsked) return
    const ended = new AbortController()
    const timer = setTimeout(() => {
      http
        .request<FoundRecords>({ method: 'POST', path: '/v2/sys/search', body: { text: words }, signal: ended.signal })
        .then((found): RecordSearch => ({ state: 'found', found }), failed)
        .then((result) => ended.signal.aborted || setAnswered({ words, result }))
        .catch(() => undefined)
    }, SETTLE)
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [http, words, isAsked, attempt])

  const again = useCallback(() => {
    setAnswered(null)
    setAttempt((count) => count + 1)
  }, [])
  if (!isAsked) return { state: 'idle', again }
  return answered?.words === words ? { ...answered.result, again } : { state: 'searching', again }
}

const failed = (error: unknown): RecordSearch => ({
  state: 'failed',
  message: error instanceof RequestError && error.kind !== 'network' ? error.message : null,
})

/** A page on which something is begun. */
export interface StartAction {
  title: BilingualText
  path: string
}

interface Process {
  label: BilingualText
  extra?: { applyPath?: string }
}

/** What the person may begin: records that he may make, and approvals that he may apply for. Without an answer there are none. */
export function useStartActions(http: Pick<Http, 'request'>): readonly StartAction[] {
  const [actions, setActions] = useState<readonly StartAction[]>([])
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const made = http
      .request<readonly { label: BilingualText; path?: string }[]>({ method: 'GET', path: '/v2/sys/search/actions', signal })
      .then((list) => list.flatMap(({ label, path }) => (path === undefined ? [] : [{ title: label, path }])))
    const applied = http
      .request<readonly Process[]>({ method: 'GET', path: '/v2/workflow/select/process', signal })
      .then((list) => list.flatMap(({ label, extra }) => (extra?.applyPath ? [{ title: label, path: extra.applyPath }] : [])))
    void Promise.all([made.catch(() => []), applied.catch(() => [])]).then((lists) => {
      if (signal.aborted) return
      setActions([...new Map(lists.flat().map((action) => [action.path, action])).values()])
    })
    return () => ended.abort()
  }, [http])
  return actions
}
