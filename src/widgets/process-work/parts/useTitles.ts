import { useEffect, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import type { FieldDiff } from './types'
import type { FormField } from './fields'

const NONE: ReadonlyMap<string, string> = new Map()

/** What the records are called that stand in differences, by their ids. */
export const useTitles = (
  fields: Readonly<Record<string, FormField>>,
  diffs: readonly FieldDiff[],
): ReadonlyMap<string, string> => {
  const host = useHost()
  const [titles, setTitles] = useState(NONE)
  const wanted = new Map<string, Set<string>>()
  for (const { field, before, after } of diffs) {
    const path = fields[field]?.field?.ref?.path
    if (!path) continue
    const ids = wanted.get(path) ?? new Set()
    for (const id of [before, after].flat()) if (typeof id === 'string' && id !== '') ids.add(id)
    wanted.set(path, ids)
  }
  const asked = JSON.stringify([...wanted].map(([path, ids]) => [path, [...ids]]))
  useEffect(() => {
    const abort = new AbortController()
    for (const [path, ids] of JSON.parse(asked) as [string, string[]][]) {
      if (ids.length === 0) continue
      host
        .request<readonly { id: string; title: string }[]>({
          method: 'POST',
          path: `${path}/select`,
          body: { ids, pageSize: ids.length },
          signal: abort.signal,
        })
        .then((found) => setTitles((now) => new Map([...now, ...found.map(({ id, title }) => [id, title] as const)])))
        // an ellipsis stands for what may not be read
        .catch(() => undefined)
    }
    return () => abort.abort()
  }, [host, asked])
  return titles
}
