import { useEffect, useState } from 'react'
import { formatProblem } from '../../schema'
import type { Problem } from '../../schema/problem'
import { loadPart } from '../part/loadPart'
import type { Host, LoadedPage } from '../../headless/host'
import { tellProblems } from './loadCompiled'
import { whenQuiet } from './whenQuiet'

const NOTHING: readonly Problem[] = []

/**
 * What the validator of the language finds wrong with the blocks of a page that lay in this browser, beyond what compiling it
 * found (`told`); everything else goes to the console. What the gateway sends it has checked itself; the validator is larger
 * than a page, so it comes when nobody waits.
 */
export const useFindings = (host: Host, { bundle, from }: LoadedPage, told: readonly Problem[]): readonly Problem[] => {
  const [findings, setFindings] = useState({ revision: '', blocks: NOTHING })
  const done = findings.revision === bundle.revision
  useEffect(() => {
    if (done || from !== 'local') return
    let left = false
    const check = async (): Promise<void> => {
      // without a connection the page works on, and the next visit checks it
      const validator = await loadPart(() => import('./checkBundle')).catch(() => undefined)
      if (left || !validator) return
      const { checkBundle, sortFindings } = validator
      const { blocks, others } = sortFindings(checkBundle(bundle), told)
      // What could not be shown is told with its place; everything else is for developers.
      tellProblems(host, bundle, [...told, ...blocks])
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
