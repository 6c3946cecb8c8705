import { useCallback, useEffect, useRef, useState } from 'react'
import { isAborted, toFailure } from '../../headless/failure'
import { parseQuery } from '../../headless/list/query'
import { activeView, toCountBody } from '../../headless/list/request'
import type { Refs, Row } from '../../headless/row'
import { digits } from '../../headless/words'
import type { TabModel } from '../../schema/model'
import type { CellContext } from '../cell'
import { onChanged } from '../changes'

/** What the gateway tells of one list: how many rows there are, what they come to, the first of them. */
export interface RelatedSource {
  total: number
  /** There are more than that. */
  totalAtLeast?: true
  /** Sums as those of a list, by currency where there are several. */
  summary?: Readonly<Record<string, unknown>>
  records?: readonly Row[]
  refs?: Refs
  /** Route of the page that shows one of the records. */
  open?: string
}
/** How many rows there are, as people read it. */
export const countOf = ({ total, totalAtLeast }: RelatedSource): string => `${digits(total)}${totalAtLeast ? '+' : ''}`

interface Answer {
  sources: readonly (RelatedSource | null)[]
}

export interface Related {
  /** By the id of the tab; what the person may not read is left out. */
  sources: Readonly<Record<string, RelatedSource>>
  /** Why it was not read; null while it is or was. */
  failure: string | null
  /** Something was asked for and has not come. */
  waiting: boolean
  retry(): void
}

interface Question {
  tab: string
  path: string
  /** Body of its source as text: what is equal need not be asked again. */
  body: string
}

/** What each tab with a list asks for, by what its list asks for. */
const questionsOf = (tabs: readonly TabModel[], search: string, { scope }: CellContext): Question[] =>
  tabs.flatMap(({ id, count, related, content }) => {
    if (content.type !== 'list' || !(count || related)) return []
    const { list } = content
    try {
      const query = parseQuery(list, search, scope, `${id}.`)
      const { amount, rows } = related ?? {}
      const open = typeof rows === 'object' ? { where: [{ field: rows.field, operator: 'in', value: rows.codes }] } : {}
      const body = {
        ...{ entity: list.entity, ...toCountBody(list, activeView(list, query), query, { scope }) },
        ...(amount ? { sum: amount.name } : {}),
        ...(rows ? { rows: { ...open, ...(list.sort.length > 0 ? { sort: list.sort } : {}) } } : {}),
      }
      return [{ tab: id, path: list.path, body: JSON.stringify(body) }]
    } catch {
      // what its list asks for cannot be worked out: the list says so itself
      return []
    }
  })

/**
 * Counts, sums and first rows of the lists of a record, all by one call once the record is there; what changes later is asked for by itself: the
 * question of a list, or its rows.
 */
export const useRelated = (tabs: readonly TabModel[], context: CellContext, record: Row, search: string): Related => {
  const { host } = context
  const [sources, setSources] = useState<Readonly<Record<string, RelatedSource>>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [known, setKnown] = useState(false)
  /** What each tab was answered to last. */
  const answered = useRef(new Map<string, string>())
  const asked = JSON.stringify(questionsOf(tabs, search, context))
  const about = `${String(record.id)} ${String(record.version)}`

  const load = useCallback(
    async (wanted: readonly Question[], signal: AbortSignal): Promise<void> => {
      if (wanted.length === 0) return
      try {
        const body = { sources: wanted.map((one) => JSON.parse(one.body) as object) }
        const answer = await host.request<Answer>({ method: 'POST', path: '/v2/sys/related', body, signal })
        const read = wanted.map(({ tab }, index) => [tab, answer.sources[index] ?? null] as const)
        for (const one of wanted) answered.current.set(one.tab, `${about} ${one.body}`)
        setSources((now) => {
          const known = new Map(Object.entries(now))
          for (const [tab, source] of read)
            if (source) known.set(tab, source)
            else known.delete(tab)
          return Object.fromEntries(known)
        })
        setFailure(null)
        setKnown(true)
      } catch (error) {
        if (isAborted(error)) return
        // where nothing related is shown, only the numbers of the tabs are missing
        host.report(error, { call: '/v2/sys/related' })
        setFailure(toFailure(error, host.locale).message)
      }
    },
    [host, about],
  )
  const [again, setAgain] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    const questions = JSON.parse(asked) as Question[]
    void load(
      questions.filter(({ tab, body }) => answered.current.get(tab) !== `${about} ${body}`),
      abort.signal,
    )
    const paths = [...new Set(questions.map(({ path }) => path))]
    const deaf = paths.map((path) =>
      onChanged(path, () => {
        const changed = questions.filter((one) => one.path === path)
        void load(changed, abort.signal)
      }),
    )
    return () => {
      abort.abort()
      deaf.forEach((end) => end())
    }
  }, [asked, about, load, again])
  const retry = useCallback(() => {
    setFailure(null)
    setAgain((times) => times + 1)
  }, [])
  return { sources, failure, waiting: !known && failure === null && asked !== '[]', retry }
}
