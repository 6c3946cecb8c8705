import { useEffect, useState } from 'react'
import { formatProblem } from '../../schema'
import type { Problem } from '../../schema/problem'
import { loadPart } from '../part/loadPart'
import type { Host, LoadedPage } from '../host'

/** Milliseconds: long enough for the page to be drawn and its data to be asked for. */
const AFTER = 2_000
const NOTHING: readonly Problem[] = []

/** Runs when the page has stood for a moment and the browser has nothing to do; the answer gives it up. */
const whenQuiet = (work: () => void): (() => void) => {
  let idle: number | undefined
  const timer = setTimeout(() => {
    // Safari has no idle callbacks; there the pause has to do.
    if (typeof requestIdleCallback === 'undefined') work()
    else idle = requestIdleCallback(work, { timeout: 2_000 })
  }, AFTER)
  return () => {
    clearTimeout(timer)
    if (idle !== undefined) cancelIdleCallback(idle)
  }
}

/**
 * What the validator of the language finds wrong with the blocks of a page that the gateway sent, beyond what compiling it
 * found (`told`); everything else goes to the console. The validator is larger than a page, so it comes when nobody waits.
 */
export const useFindings = (host: Host, { bundle, from }: LoadedPage, told: readonly Problem[]): readonly Problem[] => {
  const [findings, setFindings] = useState({ revision: '', blocks: NOTHING })
  const done = findings.revision === bundle.revision
  useEffect(() => {
    if (done || from !== 'gateway') return
    let left = false
    const check = async (): Promise<void> => {
      // without a connection the page works on, and the next visit checks it
      const validator = await loadPart(() => import('./checkBundle')).catch(() => undefined)
      if (left || !validator) return
      const { checkBundle, sortFindings } = validator
      const { blocks, others } = sortFindings(checkBundle(bundle), told)
      // What could not be shown is told with its place; everything else is for developers.
      const dropped = told.filter(({ severity }) => severity === 'error')
      for (const { where, at, code, ...rest } of [...dropped, ...blocks])
        host.report(formatProblem({ where, at, code, ...rest }), { where, at, code, revision: bundle.revision })
      for (const problem of others) host.report(formatProblem(problem), { where: problem.where, code: problem.code })
      setFindings({ revision: bundle.revision, blocks })
    }
    const stop = whenQuiet(() => void check().catch((error: unknown) => host.report(error, { where: bundle.where })))
    return () => {
      left = true
      stop()
    }
  }, [done, from, bundle, told, host])
  return done ? findings.blocks : NOTHING
}
