import { useEffect, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import type { ProcessDocument } from '../../../schema/generated/process'
import type { Problem } from '../../../schema/problem'
import { problemOf } from './problems'
import type { Finding } from './types'

/** Rest before the gateway is asked, ms. */
const PAUSE = 500
const NONE: readonly Problem[] = []

/** What is wrong with a process while it is drawn: the gateway checks it with all that it refers to. */
export const useProcessProblems = (document: ProcessDocument): readonly Problem[] => {
  const host = useHost()
  const [problems, setProblems] = useState(NONE)
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(() => {
      host
        .request<{ problems: readonly Finding[] }>({
          method: 'POST',
          path: '/v2/workflow/process/check',
          body: { document },
          signal: abort.signal,
        })
        .then((answer) => setProblems(answer.problems.flatMap(problemOf)))
        // publishing checks it once more
        .catch(() => undefined)
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [host, document])
  return problems
}
