import { useRef, useState } from 'react'
import { isAborted, isTold } from '../../../headless/failure'
import { isMailAddress, speaksOfAttachment } from '../../../headless/mail'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import type { Letter } from './calls'
import type { Uploads } from './Files'
import { offerUndo, problemsOf, sendLater, sendLetter } from './send'
import { composeTexts } from './texts'
import type { Draft } from './useDraft'
import { othersAnswer } from './useFollow'

interface SendingParts {
  letter: Letter
  draft: Draft
  uploads: Uploads
  inText: ReadonlySet<string>
  home: string | null
  /** Asks for what stands in braces; true when it asks. */
  onOpen(letter: Letter): boolean
}

/** Sending a letter: what is asked before, what went wrong. */
export interface Sending {
  busy: boolean
  failure: string | null
  /** By address. */
  problems: ReadonlyMap<string, string>
  /** Sends at once, or at a moment. */
  send(at: string | null): Promise<void>
}

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map()

/** Sends a letter, after everything that is to be asked was asked once. */
export function useSending({ letter, draft, uploads, inText, home, onOpen }: SendingParts): Sending {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [problems, setProblems] = useState(NO_PROBLEMS)
  const isAsked = useRef(false)
  const running = useRef(false)

  /** What is missing and cannot be waved through; null when nothing is. */
  const missing = (): string | null => {
    const all = [...letter.to, ...letter.cc, ...letter.bcc]
    if (all.length === 0) return texts.noRecipient
    if (!all.every(({ email }) => isMailAddress(email))) return texts.wrongRecipients
    if (uploads.busy) return texts.uploading
    return uploads.running.length > 0 ? texts.uploadFailed : null
  }
  const mayGo = async (): Promise<boolean> => {
    const sure = (title: string, content?: string) =>
      host.confirm({ title, ...(content === undefined ? {} : { content }), okText: texts.sendAnyway })
    if (letter.subject.trim() === '' && !(await sure(texts.noSubjectTitle))) return false
    const files = letter.attachments.filter(({ id }) => !inText.has(id))
    if (!isAsked.current && files.length === 0 && speaksOfAttachment(letter.body)) {
      isAsked.current = true
      if (!(await sure(texts.forgottenTitle, texts.forgottenText))) return false
    }
    if ((letter.kind === 'reply' || letter.kind === 'replyAll') && letter.sourceMessageId !== null) {
      // whether it is answered already cannot always be had; it hinders nobody then
      const other = await othersAnswer(host, letter.sourceMessageId).catch(() => null)
      if (other?.answered && !(await sure(texts.answeredTitle, other.sentence))) return false
    }
    return true
  }
  const send = async (at: string | null): Promise<void> => {
    if (running.current || draft.newer) return
    const reason = missing()
    setFailure(reason)
    if (reason !== null || onOpen(letter)) return
    running.current = true
    try {
      if (!(await mayGo())) return
      setBusy(true)
      const draftId = await draft.save()
      if (at === null) {
        const outgoing = await sendLetter(host, letter, draftId)
        draft.settle()
        offerUndo(host, outgoing)
      } else {
        await sendLater(host, letter, draftId, at)
        draft.settle()
        host.notify('success', texts.timedFor(momentText(host, at)))
      }
      host.closePage(home ?? undefined)
    } catch (error) {
      if (isAborted(error) || isTold(error)) return
      const { byEmail, sentence } = problemsOf(host, letter, error)
      setProblems(byEmail)
      setFailure(texts.refusedSend(sentence))
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  // what was waited for has come
  const isOver = failure === texts.uploading && !uploads.busy
  return { busy, failure: isOver ? null : failure, problems, send }
}
