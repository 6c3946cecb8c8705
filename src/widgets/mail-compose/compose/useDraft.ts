import { useCallback, useEffect, useRef, useState } from 'react'
import { CODES, isAborted, toFailure } from '../../../headless/failure'
import { RequestError } from '../../../headless/host'
import { useHost } from '../../../runtime/hostContext'
import { ask, type Letter, type StoredDraft } from './calls'
import { dropLocally, keepLocally } from './localCopy'
import { storedOf } from './start'

const EVERY = 5_000
const LOCALLY = 400

/** What became of the draft. */
export interface Draft {
  state: 'new' | 'saving' | 'saved' | 'waiting' | 'failed'
  savedAt: Date | null
  reason: string
  /** The newer one of another device. */
  newer: StoredDraft | null
  id: string | null
  /** Saves what is not saved yet; answers the id of the draft. */
  save(): Promise<string | null>
  /** Whether the last save did not succeed. */
  isFailed(): boolean
  /** The newer one is known: what is written here goes over it. */
  over(): void
  /** The newer one is taken in its place. */
  taken(letter: Letter): void
  /** It is sent or thrown away. */
  settle(): void
}

const isEmpty = (letter: Letter): boolean =>
  letter.to.length + letter.cc.length + letter.bcc.length + letter.attachments.length === 0 &&
  letter.subject === '' &&
  letter.body === ''

/**
 * Keeps what is written: in this browser at once, at the gateway every five seconds of change. A save names the revision that it began with; another device's
 * newer one is shown and nothing overwritten.
 */
export function useDraft(key: string, letter: Letter, begun: { id: string; revision: number } | null, untouched: Letter): Draft {
  const host = useHost()
  const known = useRef(begun)
  const latest = useRef(letter)
  latest.current = letter
  const savedLetter = useRef(untouched)
  const settled = useRef(false)
  const running = useRef<Promise<string | null> | null>(null)
  const [state, setState] = useState<Draft['state']>(begun ? 'saved' : 'new')
  const [savedAt, setSavedAt] = useState<Date | null>(null)
  const [reason, setReason] = useState('')
  const [newer, setNewer] = useState<StoredDraft | null>(null)
  const conflict = useRef(false)
  const isFailed = useRef(false)
  const isChanged = letter !== savedLetter.current

  const once = useCallback(async (): Promise<string | null> => {
    const written = latest.current
    if (settled.current || conflict.current || written === savedLetter.current) return known.current?.id ?? null
    if (!known.current && isEmpty(written)) return null
    setState('saving')
    try {
      const answer = await ask<{ id: string; revision: number }>(host, 'draft/save', { ...storedOf(written), ...known.current })
      known.current = { id: answer.id, revision: answer.revision }
      savedLetter.current = written
      setSavedAt(host.now())
      setReason('')
      isFailed.current = false
      setState(latest.current === written ? 'saved' : 'waiting')
      if (!settled.current)
        void keepLocally(host, key, { letter: latest.current, draft: known.current, at: host.now().toISOString() })
      return answer.id
    } catch (error) {
      if (isAborted(error)) return known.current?.id ?? null
      if (error instanceof RequestError && error.code === CODES.notFound && known.current) {
        // it was sent or deleted elsewhere: what stands here is a draft of its own
        known.current = null
        setState('waiting')
        return null
      }
      const data =
        error instanceof RequestError && error.code === CODES.stale ? (error.data as { draft: StoredDraft | null }) : null
      if (data?.draft) {
        conflict.current = true
        setNewer(data.draft)
      }
      isFailed.current = true
      setReason(toFailure(error, host.locale).message)
      setState('failed')
      return known.current?.id ?? null
    }
  }, [host, key])

  const save = useCallback(async (): Promise<string | null> => {
    // one at a time: the next one begins with the revision that this one makes
    await running.current
    running.current = once()
    return running.current
  }, [once])

  useEffect(() => {
    if (!isChanged || settled.current) return
    host.setUnsaved(true)
    const local = setTimeout(() => {
      void keepLocally(host, key, { letter, draft: known.current, at: host.now().toISOString() })
    }, LOCALLY)
    return () => clearTimeout(local)
  }, [host, key, letter, isChanged])
  useEffect(() => {
    if (state === 'saved' || state === 'new') host.setUnsaved(false)
  }, [host, state])
  useEffect(() => {
    const timer = setInterval(() => void save(), EVERY)
    return () => {
      clearInterval(timer)
      // another page is looked at: what is written here is kept now
      void save()
    }
  }, [save])

  return {
    ...{ state: state === 'saved' && isChanged ? 'waiting' : state, savedAt, reason, newer, id: known.current?.id ?? null, save },
    isFailed: () => isFailed.current,
    over: () => {
      if (newer) known.current = { id: newer.id, revision: newer.revision }
      conflict.current = false
      setNewer(null)
      void save()
    },
    taken: (taken) => {
      savedLetter.current = taken
      if (newer) known.current = { id: newer.id, revision: newer.revision }
      conflict.current = false
      setNewer(null)
      setState('saved')
    },
    settle: () => {
      settled.current = true
      host.setUnsaved(false)
      dropLocally(host, key)
    },
  }
}
