import type { Host } from '../../../headless/host'
import { joinLetter, parseAddresses, splitLetter, type MailAddress } from '../../../headless/mail'
import { ask, isKind, MAILBOX, type Kind, type Letter, type MailFile, type Sender, type Source, type StoredDraft } from './calls'
import { localCopy, type LocalCopy } from './localCopy'

/** How writing begins. */
export interface Beginning {
  senders: readonly Sender[]
  letter: Letter
  /** The draft that it goes on with. */
  draft: { id: string; revision: number } | null
  /** The mail that is answered or passed on. */
  source: Source | null
  /** When the copy of this browser was typed that it goes on with. */
  continued: string | null
  /** A mail that waits for its time: its time. */
  timed: string | null
  /** Files of the source that cannot go along. */
  refused: readonly { name: string; reason: string }[]
}

type Query = Readonly<Record<string, string | undefined>>

const emptyLetter = (accountId: string, kind: Kind): Letter => ({
  ...{ accountId, to: [], cc: [], bcc: [], subject: '', body: '', signature: '', signatureId: null, quote: '' },
  ...{ attachments: [], kind, sourceMessageId: null },
})

/** The letter of a draft. */
export const letterOf = (draft: StoredDraft, accountId: string): Letter => ({
  ...splitLetter(draft.content ?? ''),
  accountId: draft.accountId ?? accountId,
  to: draft.to,
  cc: draft.cc,
  bcc: draft.bcc,
  subject: draft.subject ?? '',
  signatureId: draft.signatureId,
  attachments: draft.attachments.map(({ id, name, size }) => ({ id, name, size })),
  kind: draft.kind,
  sourceMessageId: draft.sourceMessageId,
  wantsReceipt: draft.wantsReceipt,
})

/** What a draft is saved as. */
export const storedOf = (letter: Letter) => ({
  accountId: letter.accountId,
  to: letter.to,
  cc: letter.cc,
  bcc: letter.bcc,
  subject: letter.subject,
  content: joinLetter(letter),
  attachments: letter.attachments.map(({ id }) => id),
  signatureId: letter.signatureId,
  kind: letter.kind,
  sourceMessageId: letter.sourceMessageId,
  wantsReceipt: letter.wantsReceipt ?? false,
})

/** The signature of a mailbox for a new mail or an answer. */
export async function signatureFor(
  host: Host,
  accountId: string,
  kind: Kind,
): Promise<Pick<Letter, 'signature' | 'signatureId'>> {
  const none = { signature: '', signatureId: null }
  const { signatureId, replySignatureId } = await ask<{ signatureId: string | null; replySignatureId: string | null }>(
    host,
    'email/sender/query',
    { accountId },
  )
  const id = kind === 'new' || kind === 'editAgain' ? signatureId : (replySignatureId ?? signatureId)
  return id === null ? none : { signature: await signatureText(host, id), signatureId: id }
}

export const signatureText = async (host: Host, id: string): Promise<string> =>
  (await host.request<{ bodyHtml: string }>({ method: 'GET', path: `${MAILBOX}/signature/view/${encodeURIComponent(id)}` }))
    .bodyHtml

const named = ({ email, name }: MailAddress): MailAddress => (name ? { email, name } : { email })

function recipientsOf(source: Source, kind: Kind): Pick<Letter, 'to' | 'cc' | 'bcc'> {
  if (kind === 'editAgain')
    return {
      to: source.receiverEmailList.map(named),
      cc: source.ccEmailList.map(named),
      bcc: source.bccEmailList.map(named),
    }
  if (kind !== 'reply' && kind !== 'replyAll') return { to: [], cc: [], bcc: [] }
  const { to, cc } = source.answers[kind]
  return { to: to.map(named), cc: cc.map(named), bcc: [] }
}

/** Puts the pictures of a text in the place of those that it had: by the upload, no longer by the mail that they came in. */
const withPictures = (html: string, files: readonly (MailFile & { contentId: string | null })[]): string =>
  files.reduce(
    (text, { id, contentId }) => (contentId === null ? text : text.replaceAll(`cid:${contentId}"`, `cid:${id}"`)),
    html,
  )

async function fromSource(
  host: Host,
  kind: Kind,
  messageId: string,
  accountId: string,
): Promise<Pick<Beginning, 'letter' | 'source' | 'refused'>> {
  const source = await ask<Source>(host, 'email/detail', { messageId })
  const begun = emptyLetter(accountId || source.accountId, kind)
  const { answers } = source
  const isAnswer = kind === 'reply' || kind === 'replyAll'
  const isWhole = kind === 'forwardAsAttachment'
  const hasFiles = isWhole || source.attachments.length > 0
  const taken = hasFiles
    ? await ask<{ files: (MailFile & { contentId: string | null })[]; refused: { name: string; reason: string }[] }>(
        host,
        '/v2/mail/message/takeFiles',
        { messageId, whole: isWhole },
      )
    : { files: [], refused: [] }
  // an answer takes along only the pictures that its quote shows
  const files = taken.files.filter(
    ({ contentId }) => !isAnswer || (contentId !== null && source.content.includes(`cid:${contentId}"`)),
  )
  const letter: Letter = {
    ...begun,
    ...recipientsOf(source, kind),
    subject: kind === 'editAgain' ? source.subject : isAnswer ? answers.replySubject : answers.forwardSubject,
    sourceMessageId: source.id,
    attachments: files.map(({ id, name, size }) => ({ id, name, size })),
  }
  if (kind === 'editAgain')
    return { letter: { ...letter, ...splitLetter(withPictures(source.content, files)) }, source, refused: taken.refused }
  const quote = isWhole ? '' : withPictures(answers.quoteHtml, files)
  return { letter: { ...letter, quote, ...(await signatureFor(host, letter.accountId, kind)) }, source, refused: taken.refused }
}

/** What an address asks to be written, or what was being written there. Null: there is no mailbox to write from. */
export async function begin(host: Host, query: Query, key: string): Promise<Beginning | null> {
  const senders = await ask<readonly Sender[]>(host, 'email/sender/list')
  const [first] = senders
  if (!first) return null
  const accountId = senders.find((one) => one.accountId === query.accountId)?.accountId ?? ''
  const nothing = { senders, draft: null, source: null, continued: null, timed: null, refused: [] }
  const kept = localCopy(host, key)
  if (kept) return { ...nothing, ...(await continued(host, kept)) }
  if (query.draftId) {
    const draft = await host.request<StoredDraft>({
      method: 'GET',
      path: `${MAILBOX}/draft/view/${encodeURIComponent(query.draftId)}`,
    })
    const { id, revision, timed, timingTime } = draft
    const letter = letterOf(draft, first.accountId)
    return { ...nothing, letter, source: await sourceOf(host, letter), draft: { id, revision }, timed: timed ? timingTime : null }
  }
  const kind = isKind(query.kind) ? query.kind : 'new'
  if (kind !== 'new' && query.messageId) {
    const { letter, source, refused } = await fromSource(host, kind, query.messageId, accountId)
    const mayWrite = senders.some((one) => one.accountId === letter.accountId)
    return { ...nothing, source, refused, letter: mayWrite ? letter : { ...letter, accountId: first.accountId } }
  }
  const letter = emptyLetter(accountId || first.accountId, 'new')
  const to = query.to ? parseAddresses(query.to) : []
  const cc = query.cc ? parseAddresses(query.cc) : []
  return {
    ...nothing,
    letter: { ...letter, to, cc, subject: query.subject ?? '', ...(await signatureFor(host, letter.accountId, 'new')) },
  }
}

async function continued(
  host: Host,
  { letter, draft, at }: LocalCopy,
): Promise<Pick<Beginning, 'letter' | 'draft' | 'source' | 'continued'>> {
  return { letter, draft, source: await sourceOf(host, letter), continued: at }
}

/** The mail that a letter answers; null where it is not there any more: the answer can still be written. */
async function sourceOf(host: Host, { sourceMessageId }: Letter): Promise<Source | null> {
  if (sourceMessageId === null) return null
  try {
    return await ask<Source>(host, 'email/detail', { messageId: sourceMessageId })
  } catch {
    return null
  }
}
