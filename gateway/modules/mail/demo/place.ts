import { domainOf, type MailAddress } from '../../../../src/headless/mail'
import type { DemoWorld } from '../../../demo'
import type { EntityRecord } from '../../../entities'
import type { HashedBytes } from '../../../platform/files'
import { plainText, readMail, type ReadMail } from '../../../platform/mail'
import { messageRow } from '../receive/receive'
import { DAY, type Letter } from './letters'
import { folderId, staffId, type FolderName } from './mailboxes'
import { rawOf } from './raw'

/** A mailbox of the demo world. */
export interface Mailbox extends MailAddress {
  id: string
  kind: string
  ownerId: string | null
}

interface Placed {
  rows: EntityRecord[]
  log: EntityRecord[]
  /** The id of a letter's copy with whoever sent it, else with whom it went to. */
  sentId: Map<Letter, string>
}

const KEPT_AT_ONCE = 32

/** What is known of letters among each other. */
class Correspondence {
  private readonly numbers: ReadonlyMap<Letter, number>
  private readonly answeredBy: ReadonlySet<string>

  constructor(letters: readonly Letter[]) {
    this.numbers = new Map(letters.map((letter, index) => [letter, index + 1]))
    this.answeredBy = new Set(letters.flatMap(({ answers, from }) => (answers ? [`${from.email} ${this.number(answers)}`] : [])))
  }

  private number(letter: Letter): number {
    return this.numbers.get(letter) ?? 0
  }

  messageId(letter: Letter): string {
    return `<demo.${String(this.number(letter)).padStart(5, '0')}@${domainOf(letter.from.email)}>`
  }

  /** What a letter answers, the oldest first. */
  before({ answers }: Letter): string[] {
    return answers ? [...this.before(answers), this.messageId(answers)] : []
  }

  thread(letter: Letter): number {
    return letter.answers ? this.thread(letter.answers) : this.number(letter)
  }

  isAnswered(letter: Letter, { email }: Mailbox): boolean {
    return this.answeredBy.has(`${email} ${this.number(letter)}`)
  }
}

/** Puts letters into the mailboxes that they went through, as they would be found there now, and keeps their bytes. */
export async function place(
  world: DemoWorld,
  mailboxes: readonly Mailbox[],
  letters: readonly Letter[],
  store: HashedBytes,
): Promise<Placed> {
  const now = world.now.getTime()
  const chance = world.random.fork('mail marks')
  const boxes = new Map(mailboxes.map((mailbox) => [mailbox.email, mailbox]))
  const among = new Correspondence(letters)
  const raws = letters.map((letter) => letter.raw ?? rawOf(letter, among.messageId(letter), among.before(letter)))
  const hashes: string[] = []
  for (let start = 0; start < raws.length; start += KEPT_AT_ONCE)
    hashes.push(...(await Promise.all(raws.slice(start, start + KEPT_AT_ONCE).map((raw) => store.keep(raw)))))
  const known = new Set<string>()
  const made: Placed = { rows: [], log: [], sentId: new Map() }
  for (const [index, letter] of letters.entries()) {
    const { at, from, to, cc = [], party, junk } = letter
    const raw = raws[index]!
    const mail = letter.raw ? await readMail(raw) : readAs(letter, among.messageId(letter), among.before(letter))
    const isInner = boxes.has(from.email)
    const authResults = letter.auth === undefined ? (isInner ? { local: true } : verified(from)) : letter.auth
    const row = messageRow(mail, { rawHash: hashes[index]!, size: raw.length, at: new Date(at), authResults, place: null })
    for (const [nth, { email }] of [from, ...to, ...cc].entries()) {
      const box = boxes.get(email)
      if (!box) continue
      const isOut = nth === 0
      const role: FolderName = isOut ? 'sent' : junk === undefined ? 'inbox' : 'junk'
      const id = `ml-${String(made.rows.length + 1).padStart(5, '0')}`
      if (isOut || !made.sentId.has(letter)) made.sentId.set(letter, id)
      const pair = `${box.id} ${from.email}`
      const warnings = letter.warnings ?? (known.has(pair) || isInner ? [] : ['firstTimeSender'])
      known.add(pair)
      const isAnswered = !isOut && among.isAnswered(letter, box)
      const isUnread = !isOut && !isAnswered && (letter.unread === true || (at > now - 4 * DAY && chance.happens(0.6)))
      const writer = isOut ? (letter.writtenBy ?? box.ownerId) : null
      const stamp = { createdAt: row.receiveTime, createdBy: writer ?? '' }
      made.rows.push({
        ...{
          ...row,
          ...stamp,
          id,
          version: 1,
          accountId: box.id,
          folderId: folderId(box.id, role),
          direction: isOut ? 'out' : 'in',
        },
        ...{ emailType: isOut ? '1' : role === 'junk' ? '3' : '2', threadId: `th-${box.id.slice(3)}-${among.thread(letter)}` },
        ...{ warnings: isOut ? [] : [...warnings], movedBecause: junk ?? null, seen: !isUnread, answered: isAnswered },
        ...{ starred: chance.happens(0.04), marks: marksOf(letter, chance.next()) },
        ...{ customerId: party?.customerId ?? null, supplierId: party?.supplierId ?? null, contactId: party?.contactId ?? null },
        ...followed(world, box, letter, { isOut, isAnswered, isOld: at < now - 5 * DAY }),
      })
      made.log.push({
        ...{ ...stamp, id: `mg-${id.slice(3)}`, at: row.receiveTime, accountId: box.id, action: isOut ? 'sent' : 'received' },
        ...{
          messageId: id,
          staffId: writer,
          peer: isOut ? (to[0]?.email ?? '') : from.email,
          subject: row.subject,
          result: null,
        },
      })
    }
  }
  return made
}

const verified = ({ email }: MailAddress): Record<string, unknown> => ({
  ...{ spf: 'pass', dmarc: 'pass', dkim: [`${domainOf(email)}=pass`] },
})

/** A letter as its bytes are read, without reading them: a test reads them and finds the same. */
function readAs(
  { at, from, to, cc = [], subject, html, quote = '', files = [] }: Letter,
  messageId: string,
  references: string[],
): ReadMail {
  const whole = `<!doctype html><html><body>${html}${quote}</body></html>`
  return {
    ...{ messageId, inReplyTo: references.at(-1) ?? null, references, subject, sender: from, replyTo: [], to, cc, bcc: [] },
    ...{
      date: new Date(Math.floor(at / 1000) * 1000),
      text: plainText(whole),
      html: whole,
      listPost: null,
      autoSubmitted: false,
      forbidsReply: false,
    },
    attachments: files.map(({ name, type, content }, index) => ({
      ...{ name, size: content.length, type, contentId: null, inline: false, index, isEncrypted: name.endsWith('.zip') },
    })),
    ...{ charsetGuessed: null, receiptTo: null, authentication: [], spamFlag: false },
  }
}

function marksOf({ subject, junk, files = [] }: Letter, chance: number): string[] {
  if (junk !== undefined || chance > 0.5) return []
  if (/报价|询价|rates|quote/iu.test(subject)) return ['mk-quote']
  if (/账单|bill|月结|terms/iu.test(subject)) return ['mk-money']
  return chance < 0.03 && files.length === 0 ? ['mk-important'] : []
}

/** Who follows up a mail of a shared mailbox, and how far that is. */
function followed(
  { rows }: DemoWorld,
  { kind, id }: Mailbox,
  { party, junk }: Letter,
  { isOut, isAnswered, isOld }: { isOut: boolean; isAnswered: boolean; isOld: boolean },
): EntityRecord {
  if (isOut) return { followStaffId: null, followState: 'closed' }
  const state = isAnswered ? 'answered' : isOld ? 'closed' : 'new'
  if (kind !== 'shared' || junk !== undefined) return { followStaffId: null, followState: isAnswered ? 'answered' : 'new' }
  if (id === 'ma-billing') return { followStaffId: staffId('0052'), followState: state }
  const customer = (rows['crm.customer'] ?? []).find((one) => one.id === party?.customerId)
  const members = (rows['mail.accountStaff'] ?? []).filter(({ accountId }) => accountId === id).map((one) => one.staffId)
  const owner = members.includes(customer?.ownerId) ? customer?.ownerId : staffId('0006')
  return { followStaffId: owner ?? null, followState: state }
}
