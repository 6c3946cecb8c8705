import { useCallback, useEffect, useMemo, useState } from 'react'
import { isAborted, toFailure, type Failure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'

/** A card that the person may have on his home, as the gateway offers it. */
export interface OfferedCard {
  /** module.id */
  id: string
  kind: 'list' | 'report'
  title: string
  /** The list or report, module/file. */
  page: string
  view?: string
  columns?: readonly string[]
  rows?: number
  block?: string
  /** Where the whole of it is; null: nowhere. */
  address: string | null
  /** Quarters of the width. */
  span: number
  /** On his home as long as he has not arranged it. */
  shown: boolean
}

/** What a person made of his home; cards that are not named are not there. */
interface Arrangement {
  cards: readonly { id: string; span: number }[]
}

const PREFERENCE = 'home.cards'
/** Figures of a page that stays open, ms. */
const REFRESH = 5 * 60_000

/** Cards as the person arranged them; those that he may not open any more, or that are gone, are left out. */
const arranged = (offered: readonly OfferedCard[], arrangement: Arrangement | null): OfferedCard[] => {
  if (!arrangement) return offered.filter(({ shown }) => shown)
  const byId = new Map(offered.map((card) => [card.id, card]))
  return arrangement.cards.flatMap(({ id, span }) => {
    const card = byId.get(id)
    return card ? [{ ...card, span }] : []
  })
}

interface Loaded {
  offered: readonly OfferedCard[]
  arrangement: Arrangement | null
}

/** The cards of the home, what else there is to choose from, and how they are arranged. */
export function useCards() {
  const host = useHost()
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [round, setRound] = useState(0)

  useEffect(() => {
    const abort = new AbortController()
    Promise.all([
      host.request<{ cards: OfferedCard[] }>({ method: 'GET', path: '/v2/sys/staff/home', signal: abort.signal }),
      host.preference<Arrangement>(PREFERENCE),
    ]).then(
      ([{ cards }, arrangement]) => {
        if (abort.signal.aborted) return
        setFailure(null)
        setLoaded({ offered: cards, arrangement })
      },
      (error: unknown) => {
        if (!isAborted(error)) setFailure(toFailure(error, host.locale))
      },
    )
    return () => abort.abort()
  }, [host, attempt])

  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setRound((now) => now + 1)
    }, REFRESH)
    return () => clearInterval(timer)
  }, [])

  const arrange = useCallback(
    async (cards: readonly OfferedCard[] | null): Promise<void> => {
      const arrangement = cards && { cards: cards.map(({ id, span }) => ({ id, span })) }
      await host.savePreference(PREFERENCE, arrangement)
      setLoaded((now) => now && { ...now, arrangement })
    },
    [host],
  )
  const cards = useMemo(() => loaded && arranged(loaded.offered, loaded.arrangement), [loaded])
  return {
    cards,
    offered: loaded?.offered ?? [],
    isOwn: loaded?.arrangement != null,
    failure,
    round,
    retry: () => setAttempt((now) => now + 1),
    refresh: () => setRound((now) => now + 1),
    arrange,
  }
}
