import type { MailAddress } from '../../../../src/headless/mail'
import type { DemoStep, DemoWorld } from '../../../demo'
import { tableOf, thereIs, type EntityRecord } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { Executor, Transaction } from '../../../platform/database'
import { openedParts, type MailParts } from '../parts'
import { SENDING_LINE } from '../send/outgoing'
import { billed, dealings, inquiries, Office, quoted, SPAN, type MailedBill } from './deals'
import { inside } from './inside'
import { DAY, HOUR, paragraphs as p, type Letter } from './letters'
import { accountOf, ownersOf, staffId } from './mailboxes'
import { oddCharsets, phishing, spam } from './odd'
import { place, type Mailbox } from './place'
import { rawOf } from './raw'

/** Messages of a world of full size. */
const MESSAGES = 2_500
const SPAM = 40
const BATCH = 500

/** The letters of the world, and which of them records of other modules name. */
interface Written {
  letters: Letter[]
  quotes: ReadonlyMap<string, Letter>
  bills: ReadonlyMap<string, Letter>
}

/** Writes the mail of the demo world: letters that follow from its quotes, bills, clues and customers, each in the mailboxes that it went through, with its bytes. */
export const fillMail: DemoStep = async (world, { tx, entities, engine }) => {
  const owners = ownersOf(world)
  const mailboxes = (world.rows['mail.account'] ?? []).map((account): Mailbox => ({
    ...{ id: account.id, email: String(account.address), name: String(account.displayName), kind: String(account.kind) },
    ownerId: typeof account.ownerId === 'string' ? account.ownerId : null,
  }))
  if (owners.length === 0 || mailboxes.length === 0) return
  const parts = openedParts(engine)
  const written = await lettersOf(world, mailboxes, tx)
  const placed = await place(world, mailboxes, written.letters, parts.raw)
  for (let start = 0; start < placed.rows.length; start += BATCH)
    await entities.insertMany('mail.message', placed.rows.slice(start, start + BATCH))
  for (let start = 0; start < placed.log.length; start += BATCH)
    await entities.insertMany('mail.log', placed.log.slice(start, start + BATCH))
  await tx.query(
    `update mail_folder f set total = c.total, unread = c.unread from (
       select folder_id, count(*) as total, count(*) filter (where seen is not true) as unread from mail_message group by folder_id) c where f.id = c.folder_id`,
    [],
  )
  await namedBy(world, placed.sentId, written, entities)
  await waiting(world, mailboxes, parts, entities, tx)
}

async function lettersOf(world: DemoWorld, mailboxes: readonly Mailbox[], tx: Executor): Promise<Written> {
  const owners = ownersOf(world)
  const now = world.now.getTime()
  const shared = (id: string): MailAddress => {
    const { email, name } = mailboxes.find((mailbox) => mailbox.id === id)!
    return { email, ...(name === undefined ? {} : { name }) }
  }
  const office = new Office(world, owners)
  const bound = { world, address: office.address.bind(office), of: office.of.bind(office) }
  const part = Math.min(1, world.scale)
  const { letters: quotes, letterOf } = await quoted(bound, shared('ma-quotes'))
  const { rows: bills } = (await thereIs(tx, 'fin.bill'))
    ? await tx.query<MailedBill>(
        `select b.id, b.code, b.customer_id as "customerId", b.total::text as total, b.currency, b.issued_at::text as "issuedAt", b.due_date::text as "dueDate",
           (select min(a.at) from ${tableOf('fin.allocation')} a where a.bill_id = b.id and a.deleted_at is null) as "paidAt"
         from ${tableOf('fin.bill')} b where b.side = 'customer' and b.customer_id is not null and b.issued_at > $1::date and b.issued_at <= $2::date and b.deleted_at is null
         order by b.issued_at desc, b.code limit $3`,
        [new Date(now - SPAN * DAY).toISOString(), dayOf(world.now, world.timeZone), Math.ceil(100 * part)],
      )
    : { rows: [] }
  const finance = owners.find(({ id }) => id === staffId('0052'))?.id ?? owners[0]!.id
  const billing = billed(office, shared('ma-billing'), bills, finance)
  const first = office.address(staffId('0006')) ?? office.address(owners[0]!.id)
  const everybody = owners.flatMap(({ id }) => office.address(id) ?? [])
  const letters = [
    ...quotes,
    ...billing.letters,
    ...inquiries(office, shared('ma-sales'), Math.ceil(120 * part)),
    ...inside(owners, shared('ma-quotes'), now, Math.ceil(120 * part)),
    ...spam(everybody.concat(shared('ma-sales')), now, Math.max(8, Math.round(SPAM * part))),
    ...phishing(everybody, now),
    ...oddCharsets(first, now),
  ]
  const own = new Set(mailboxes.map(({ email }) => email))
  const rowsOf = ({ from, to, cc = [] }: Letter): number => [from, ...to, ...cc].filter(({ email }) => own.has(email)).length
  let count = letters.reduce((sum, letter) => sum + rowsOf(letter), 0)
  for (const conversation of dealings(office)) {
    if (count >= MESSAGES * world.scale) break
    letters.push(...conversation)
    count += conversation.reduce((sum, letter) => sum + rowsOf(letter), 0)
  }
  return { letters: letters.sort((a, b) => a.at - b.at), quotes: letterOf, bills: billing.sent }
}

/** Records of other modules say which mail they are: quotations, and bills with whom they went to. */
async function namedBy(
  world: DemoWorld,
  sentId: ReadonlyMap<Letter, string>,
  { quotes, bills }: Written,
  entities: Entities,
): Promise<void> {
  const named = new Map<string, EntityRecord>()
  for (const [id, letter] of quotes) {
    const mailboxMessageId = sentId.get(letter)
    if (mailboxMessageId !== undefined) named.set(id, { mailboxMessageId })
  }
  if (world.rows['qm.quoteMail'] && named.size > 0) await entities.changeMany('qm.quoteMail', named, { keepTime: true })
  const sent = new Map<string, EntityRecord>()
  for (const [id, letter] of bills) sent.set(id, { sentAt: new Date(letter.at).toISOString(), sentTo: letter.to[0]?.email ?? '' })
  if (sent.size > 0) await entities.changeMany('fin.bill', sent, { keepTime: true })
}

type Entities = Parameters<DemoStep>[1]['entities']

/** What has not left yet: drafts, one that is timed, and two that nobody took. */
async function waiting(
  world: DemoWorld,
  mailboxes: readonly Mailbox[],
  { raw, queue }: Pick<MailParts, 'raw' | 'queue'>,
  entities: Entities,
  tx: Transaction,
): Promise<void> {
  const { now } = world
  const at = (hours: number): string => new Date(now.getTime() + hours * HOUR).toISOString()
  const box = (number: string): Mailbox | undefined => mailboxes.find(({ id }) => id === accountOf(staffId(number)))
  const [sender, second, third] = [box('0006'), box('0007'), box('0052')]
  if (!sender || !second || !third) return
  const draft = (id: string, { id: accountId, ownerId }: Mailbox, subject: string, html: string): EntityRecord => ({
    ...{ id, accountId, staffId: ownerId, kind: 'new', subject, bodyHtml: html, to: [{ email: third.email }], cc: [], bcc: [] },
    ...{
      attachments: [],
      signatureId: null,
      sourceMessageId: null,
      timingTime: null,
      revision: 1,
      createdAt: at(-5),
      createdBy: ownerId,
    },
  })
  await entities.insertMany('mail.draft', [
    draft('md-1', sender, '客户发票资料', p('请更新客户的发票抬头，资料稍后补上。')),
    draft('md-2', second, 'Volume price', p('Could we offer a volume price from 500,000 a month?')),
    { ...draft('md-3', third, '账单说明', p('您好，关于上月账单的差异说明如下：')), to: [] },
  ])
  const letters = [
    {
      id: 'mo-1',
      from: sender,
      to: second.email,
      subject: '周会材料',
      html: p('明天周会的材料，请提前看一下。'),
      state: 'scheduled',
      due: 18,
      error: null,
    },
    {
      id: 'mo-2',
      from: sender,
      to: 'former.colleague@switchboard.example',
      subject: '交接资料',
      html: p('交接资料请查收。'),
      state: 'failed',
      due: -30,
      error: '550 5.1.1 no such mailbox here',
    },
    {
      id: 'mo-3',
      from: third,
      to: 'accounting@switchboard.example',
      subject: 'Bills of last month',
      html: p('Please file them.'),
      state: 'failed',
      due: -52,
      error: '550 5.1.1 no such mailbox here',
    },
  ]
  for (const { id, from, to, subject, html, state, due, error } of letters) {
    const [messageId, written] = [`<${id}.demo@switchboard.example>`, Math.min(due, -2)]
    const letter = { at: now.getTime() + due * HOUR, from, to: [{ email: to }], subject, html }
    const bytes = rawOf(letter, messageId, [])
    await entities.insertMany('mail.outgoing', [
      {
        ...{
          id,
          accountId: from.id,
          staffId: from.ownerId,
          to: letter.to,
          cc: [],
          bcc: [],
          subject,
          bodyHtml: html,
          attachments: [],
        },
        ...{
          signatureId: null,
          kind: 'new',
          sourceMessageId: null,
          messageId,
          rawHash: await raw.keep(bytes),
          size: bytes.length,
        },
        ...{ dueAt: at(due), undoUntil: null, attempts: error === null ? 0 : 1, lastError: error, sentAt: null },
        ...{
          refused: error === null ? [] : [{ email: to, reason: error }],
          state,
          createdAt: at(written),
          createdBy: from.ownerId,
        },
      },
    ])
    if (state === 'scheduled') await queue.send(tx, SENDING_LINE, [{ key: id, at: new Date(letter.at) }])
  }
}
