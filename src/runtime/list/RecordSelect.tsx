import { useEffect, useRef, useState } from 'react'
import { SearchSelect } from '../choice/SearchSelect'
import { isAborted, toFailure } from '../failure'
import { RequestError } from '../host'
import { pageScope } from '../scope'
import { besides, list, type Choice, type ControlProps } from './filterControls'
import { takesList } from './query'

/** Searches the referenced records on the server while somebody types. */
export const RecordSelect = ({ filter, draft, host, texts, titles, inline = false, onTitles, onChange }: ControlProps) => {
  const [options, setOptions] = useState<readonly Choice[]>([])
  /** What the options are the answer to. */
  const [answered, setAnswered] = useState('')
  const [search, setSearch] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  /** One that was opened for its records has them at once. */
  const [asked, setAsked] = useState(!inline)
  const flight = useRef<AbortController | null>(null)
  const { ref } = filter.field
  useEffect(() => {
    if (!ref || !asked) return
    const own = new AbortController()
    flight.current = own
    // A search is about no record: what depends on one does not narrow it.
    const where = ref.where({ ...pageScope(host, ''), record: {}, values: {} })
    const timer = setTimeout(
      () => {
        setBusy(true)
        host
          .request<readonly { id: string; title: string }[]>({
            method: 'POST',
            path: `${ref.path}/select`,
            body: { keyword: search, pageSize: 20, ...(where.length > 0 ? { where } : {}) },
            signal: own.signal,
          })
          .then((found) => {
            setRefused(null)
            setOptions(found.map(({ id, title }) => ({ value: id, label: title })))
            setAnswered(search)
          })
          .catch((error: unknown) => {
            if (isAborted(error)) return
            setOptions([])
            setRefused(toFailure(error, host.locale).message)
            if (!(error instanceof RequestError)) host.report(error, { select: ref.path })
          })
          .finally(() => {
            if (flight.current === own) setBusy(false)
          })
      },
      search ? 300 : 0,
    )
    return () => {
      clearTimeout(timer)
      own.abort()
    }
  }, [host, ref, search, asked])
  const several = takesList(draft.operator)
  const chosen = list(draft.value).map(String)
  const known = new Map(options.map((option) => [option.value, option.label]))
  const missing = chosen.filter((id) => !known.has(id)).map((id) => ({ value: id, label: titles[id] ?? id }))
  return (
    <SearchSelect
      found
      mode={several ? 'multiple' : undefined}
      autoFocus={!inline}
      loading={busy}
      aria-label={filter.title}
      value={several ? chosen : (chosen[0] ?? null)}
      options={search === '' ? [...missing, ...options] : answered === search ? [...options] : []}
      notFoundContent={busy ? texts.loading : (refused ?? texts.noOptions)}
      onOpenChange={(open) => setAsked((before) => before || open)}
      onSearch={setSearch}
      onChange={(value: string | string[] | null) => {
        const ids = list(value).map(String)
        onTitles(Object.fromEntries(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id) ?? id]] : []))))
        onChange(several ? ids : (ids[0] ?? null))
      }}
      {...besides(inline)}
    />
  )
}
