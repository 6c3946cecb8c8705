import { useContext, useEffect, useState } from 'react'
import { useHost } from '../../runtime/hostContext'
import { ReloadsContext } from '../../runtime/list/reloads'

interface Share {
  used: number
  limit: number
}
/** What the signed-in person has used of the claim limits and of the holding cap. */
export interface Quota {
  daily: Share
  weekly: Share
  holding: Share & { warnAt: number }
}
export type QuotaState = { status: 'loading' } | { status: 'ready'; quota: Quota } | { status: 'failed'; reason: string }

/** Loads the quota of an entity (the base path of its calls), and again whenever the window gets the focus or a list was changed. */
export function useQuota(path: string): QuotaState {
  const host = useHost()
  const reloads = useContext(ReloadsContext)
  const [state, setState] = useState<QuotaState>({ status: 'loading' })
  useEffect(() => {
    const controller = new AbortController()
    const load = (): void => {
      host
        .request<Quota>({ method: 'GET', path: `${path}/claimQuota`, signal: controller.signal })
        .then((quota) => setState({ status: 'ready', quota }))
        .catch((error: unknown) => {
          if (!controller.signal.aborted)
            setState({ status: 'failed', reason: error instanceof Error ? error.message : String(error) })
        })
    }
    load()
    window.addEventListener('focus', load)
    return () => {
      controller.abort()
      window.removeEventListener('focus', load)
    }
    // reloads: a claim or release changed what is used
  }, [host, reloads, path])
  return state
}
