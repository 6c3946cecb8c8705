import type { Host } from '../../../headless/host'
import { toFailure } from '../../../headless/failure'
import { joinLetter } from '../../../headless/mail'
import { tellFailure } from '../../../runtime/reading/tell'
import { ask, type Letter, type StoredDraft } from './calls'
import { storedOf } from './start'
import { composeTexts } from './texts'

const WRITE = '/message/email/write'

/** A mail that is on its way. */
export interface Outgoing {
  outgoingId: string
  undoUntil: string
}

/** Hands a letter over; its draft goes with it. */
export const sendLetter = (host: Host, letter: Letter, draftId: string | null): Promise<Outgoing> =>
  host.request<Outgoing>({
    method: 'POST',
    path: '/v2/emailbox/email/send',
    body: { ...storedOf(letter), content: joinLetter(letter), draftId },
    idempotent: true,
  })

/** Hands a letter over that is sent at a time. */
export const sendLater = (host: Host, letter: Letter, draftId: string | null, timingTime: string): Promise<{ id: string }> =>
  host.request<{ id: string }>({
    method: 'POST',
    path: '/v2/emailbox/draft/timing/save',
    body: { ...storedOf(letter), ...(draftId === null ? {} : { id: draftId }), timingTime },
    idempotent: true,
  })

/** Takes a mail back: it is a draft again. Answers the draft's address. */
export async function takeBack(host: Host, outgoingId: string): Promise<string> {
  await ask(host, '/v2/mail/outgoing/stateUpdate', { ids: [outgoingId], transition: 'cancel' })
  const { list } = await ask<{ list: readonly StoredDraft[] }>(host, 'draft/query', { size: 1, timed: false })
  return list[0] ? `${WRITE}?draftId=${encodeURIComponent(list[0].id)}` : '/message/email/drafts'
}

/** Says that a mail is on its way, with the means to take it back for as long as that is possible, wherever in the portal one goes. */
export function offerUndo(host: Host, { outgoingId, undoUntil }: Outgoing): void {
  const texts = composeTexts[host.locale]
  host.notify('success', texts.sent, {
    label: texts.undo,
    until: new Date(undoUntil),
    run: () => {
      takeBack(host, outgoingId).then(
        (address) => {
          host.notify('info', texts.undone)
          host.navigate(address)
        },
        (error: unknown) => tellFailure(host, error, 'undo of a mail', (reason) => reason),
      )
    },
  })
}

/** The problems of fields that the gateway names, by address; the rest as one sentence. */
export function problemsOf(host: Host, letter: Letter, error: unknown): { byEmail: Map<string, string>; sentence: string } {
  const failure = toFailure(error, host.locale)
  const data = (error as { data?: { errors?: readonly { field?: string; message: string }[] } }).data
  const byEmail = new Map<string, string>()
  const sentences: string[] = []
  for (const { field = '', message } of data?.errors ?? []) {
    const place = /^(to|cc|bcc)\[(\d+)\]$/u.exec(field)
    const address = place ? letter[place[1] as 'to' | 'cc' | 'bcc'][Number(place[2])] : undefined
    if (address) byEmail.set(address.email.toLowerCase(), message)
    sentences.push(message)
  }
  return { byEmail, sentence: sentences.length > 0 ? [...new Set(sentences)].join(' ') : failure.message }
}
