import { useRef } from 'react'
import { RemoteSelect } from '../choice/SearchSelect'
import { pageScope } from '../../headless/scope'
import { besides, list, type ControlProps } from './filterControls'
import { takesList } from '../../headless/list/query'

/** Chooses the records of a reference to filter by. */
export const RecordSelect = ({ filter, draft, host, titles, inline = false, onTitles, onChange }: ControlProps) => {
  const several = takesList(draft.operator)
  const seen = useRef(new Map<string, string>())
  const { ref } = filter.field
  return (
    <RemoteSelect
      host={host}
      path={ref?.path ?? ''}
      // A search is about no record: what depends on one does not narrow it.
      where={() => ref?.where({ ...pageScope(host, ''), record: {}, values: {} }) ?? []}
      multiple={several}
      // One that was opened for its records has them at once.
      eager={!inline}
      autoFocus={!inline}
      aria-label={filter.title}
      value={list(draft.value).map(String)}
      titleOf={(id) => seen.current.get(id) ?? titles[id]}
      onChange={(ids, found) => {
        const known = ids.flatMap((id): [string, string][] => (found.has(id) ? [[id, found.get(id)!]] : []))
        for (const [id, title] of known) seen.current.set(id, title)
        onTitles(Object.fromEntries(known))
        onChange(several ? ids : (ids[0] ?? null))
      }}
      {...besides(inline)}
    />
  )
}
