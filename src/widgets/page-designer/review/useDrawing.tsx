import { useCallback, useEffect, useState, type ReactNode } from 'react'
import type { Host, PageBundle } from '../../../headless/host'
import { whenQuiet } from '../../../runtime/page'
import type { Problem } from '../../../schema/problem'
import { Preview } from '../preview/Preview'
import { SAMPLE_ID } from '../preview/sample'
import { kindOf, type TargetState } from '../types'

interface Drawing {
  /** What could not be drawn so far. */
  faults: readonly Problem[]
  /** Every page has stood for a moment. */
  done: boolean
  /** The pages, out of sight. */
  view: ReactNode
}

/** The pages of drafts as they are saved, to be drawn before they are released. */
export const bundlesOf = async (
  host: Host,
  drafts: readonly { target: string; role: string | null }[],
): Promise<readonly PageBundle[]> => {
  const pages = drafts.filter(({ target }) => kindOf(target) === 'page')
  const states = await Promise.all(
    pages.map(({ target, role }) =>
      host.request<Pick<TargetState, 'bundle'>>({
        method: 'GET',
        path: '/v2/sys/schema/target',
        query: { target, role: role ?? undefined },
      }),
    ),
  )
  return states.flatMap(({ bundle }) => bundle ?? [])
}

/** Draws pages with the real runtime, as they will be: what the check of documents cannot see shows here. */
export const useDrawing = (host: Host, bundles: readonly PageBundle[]): Drawing => {
  const [found, setFound] = useState<{ of: readonly PageBundle[]; faults: readonly Problem[] }>({ of: bundles, faults: [] })
  const [drawn, setDrawn] = useState<readonly PageBundle[] | null>(null)
  const onFault = useCallback(
    (fault: Problem) =>
      setFound(({ of, faults }) => {
        const before = of === bundles ? faults : []
        const known = before.some(
          ({ where, at, message }) => where === fault.where && at === fault.at && message.en === fault.message.en,
        )
        return { of: bundles, faults: known ? before : [...before, fault] }
      }),
    [bundles],
  )
  useEffect(() => (bundles.length === 0 ? undefined : whenQuiet(() => setDrawn(bundles))), [bundles])
  return {
    faults: found.of === bundles ? found.faults : [],
    done: bundles.length === 0 || drawn === bundles,
    view: bundles.length > 0 && (
      <div className="sb-design-unseen" aria-hidden>
        {bundles.map((bundle, index) => (
          <Preview
            key={index}
            bundle={bundle}
            settings={{
              locale: host.locale,
              dark: false,
              phone: false,
              viewer: null,
              record: bundle.page.kind === 'detail' ? SAMPLE_ID : null,
            }}
            onFault={onFault}
          />
        ))}
      </div>
    ),
  }
}
