import { createContext, use, useEffect, useRef, useState } from 'react'
import { isAborted } from '../../../../headless/failure'
import type { Host } from '../../../../headless/host'
import { tellFailure } from '../../../../runtime/reading/tell'

/** Base path of the calls of staff. */
export const STAFF = '/v2/sys/staff/user'

interface StaffNames {
  names: ReadonlyMap<string, string>
  /** Takes over names that a choice brought. */
  learn(found: ReadonlyMap<string, string>): void
}

/** Names of the members of staff with these ids; an id whose person is gone stands for itself. */
export const useStaffNames = (host: Host, ids: readonly string[]): StaffNames => {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const asked = useRef(new Set<string>())
  const key = ids.join(' ')
  useEffect(() => {
    const missing = key.split(' ').filter((id) => id !== '' && !asked.current.has(id))
    if (missing.length === 0) return
    for (const id of missing) asked.current.add(id)
    host
      .request<readonly { id: string; title: string }[]>({ method: 'POST', path: `${STAFF}/select`, body: { ids: missing } })
      .then((found) => {
        const titles = new Map(found.map(({ id, title }) => [id, title]))
        setNames((known) => new Map([...known, ...missing.map((id) => [id, titles.get(id) ?? id] as const)]))
      })
      .catch((error: unknown) => {
        for (const id of missing) asked.current.delete(id)
        if (!isAborted(error)) tellFailure(host, error, 'process designer')
      })
  }, [host, key])
  return { names, learn: (found) => setNames((known) => new Map([...known, ...found])) }
}

export const StaffContext = createContext<StaffNames>({ names: new Map(), learn: () => undefined })
export const useStaff = (): StaffNames => use(StaffContext)
