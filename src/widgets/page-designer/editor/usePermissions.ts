import { useEffect, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import type { Viewer } from '../types'

const NONE: readonly string[] = []

/** Permission keys that can be offered: those that the admin holds. Without them keys are typed. */
export const usePermissions = (staffId: string): readonly string[] => {
  const host = useHost()
  const [keys, setKeys] = useState(NONE)
  useEffect(() => {
    const abort = new AbortController()
    host
      .request<Viewer>({ method: 'GET', path: '/v2/sys/schema/viewer', query: { staffId }, signal: abort.signal })
      .then(({ permissions }) => setKeys([...permissions].sort()))
      .catch(() => undefined)
    return () => abort.abort()
  }, [host, staffId])
  return keys
}
