import { useEffect, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import type { Host } from '../../../headless/host'
import { momentText } from '../../../runtime/reading/moment'
import { wallClock } from '../../../schema/formats'
import { ask, type Source } from './calls'
import { composeTexts } from './texts'

const MESSAGE = '/v2/mail/message'
/** A claim to answer holds five minutes. */
const CLAIM = 300_000
const AGAIN = 240_000

interface Followed {
  record: { followState?: string | null; readingById?: string | null; readingUntil?: string | null; updatedAt: string }
  refs: Readonly<Record<string, Readonly<Record<string, { title: string }>>>>
}

/** Whether somebody else is about to answer a mail, or has done so, in words; null when nobody. */
export async function othersAnswer(host: Host, messageId: string): Promise<{ answered: boolean; sentence: string } | null> {
  const texts = composeTexts[host.locale]
  const { record, refs } = await host.request<Followed>({
    method: 'GET',
    path: `${MESSAGE}/view/${encodeURIComponent(messageId)}`,
  })
  const { followState, readingById, readingUntil, updatedAt } = record
  if (followState === 'answered') return { answered: true, sentence: texts.answered(momentText(host, updatedAt)) }
  if (!readingById || !readingUntil || readingById === host.user.staffId) return null
  const until = new Date(readingUntil).getTime()
  if (until < host.now().getTime()) return null
  const since = wallClock(until - CLAIM, host.timeZone).format('HH:mm')
  return { answered: false, sentence: texts.reading(refs['sys.staff']?.[readingById]?.title ?? '', since) }
}

/** Says before one types that somebody else answers, and tells others that one answers oneself. */
export function useFollow(source: Source | null, isAnswer: boolean): string | null {
  const host = useHost()
  const [sentence, setSentence] = useState<string | null>(null)
  const id = isAnswer ? (source?.id ?? null) : null
  useEffect(() => {
    if (id === null) return
    let gone = false
    const claim = async (): Promise<void> => {
      const other = await othersAnswer(host, id)
      if (gone) return
      setSentence(other?.sentence ?? null)
      if (!other) await ask(host, `${MESSAGE}/stateUpdate`, { ids: [id], transition: 'read' })
    }
    // where it cannot be said one answers all the same
    const tried = (): void => void claim().catch(() => undefined)
    tried()
    const timer = setInterval(tried, AGAIN)
    return () => {
      gone = true
      clearInterval(timer)
    }
  }, [host, id])
  return sentence
}
