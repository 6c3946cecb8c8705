import { useEffect, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import type { TargetState } from '../types'

const EVERY = 20_000

/** Who else has the document open, asked anew while it is being edited; also says that the caller has. */
export const usePresence = ({ target, role, others: first }: TargetState): TargetState['others'] => {
  const host = useHost()
  const [others, setOthers] = useState(first)
  useEffect(() => {
    const abort = new AbortController()
    const ask = (): void => {
      if (document.hidden) return
      const query = { target, role: role ?? undefined }
      host
        .request<Pick<TargetState, 'others'>>({ method: 'GET', path: '/v2/sys/schema/presence', query, signal: abort.signal })
        .then((answer) => setOthers(answer.others))
        // Without a connection the last that was heard stands.
        .catch(() => undefined)
    }
    const timer = setInterval(ask, EVERY)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', ask)
      abort.abort()
    }
  }, [host, target, role])
  return others
}
