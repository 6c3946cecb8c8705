import { newId, type Executor } from '../platform/database'
import type { Text } from '../platform/http'

/** What is said in both languages. */
export interface Said {
  title: Text
  text?: Text
}

/** Something that a member of staff should know, and mostly do. */
export interface Notice {
  staffId: string
  /** False: nothing is to be done, so that there is a message alone. */
  todo?: boolean
  /** Code of the dictionary msgType; default system. */
  type?: string
  /** Code of the dictionary todoKind. */
  kind: string
  title: Text
  /** More of it, for the message. */
  text?: Text
  /** The same for whoever may not read the names of customers: by alias or number. Without it he is told only what kind of matter it is. */
  plain?: Said
  /** What it is about; a person's open to-dos of a subject are settled by it. */
  subject?: { entity: string; id: string }
  /** Route of the page where it is done, with its query. */
  link?: string
  /** Route of the list where many of them stand: that of the one message which says how many. */
  list?: string
  /** Who said it; nobody: the portal. */
  senderId?: string
  /** The state of the subject in which it matters: it is over when the subject leaves it. */
  whileState?: string
  /** When it should be done; default now. */
  dueAt?: Date | string
  /** The same key is told once, also after it was done: e.g. `recycleSoon/<customer>/<day>`. */
  key: string
}

/** What is pushed to the browsers of one person: a new message, that messages were read elsewhere, that his approvals are others, or his mailboxes. */
export interface PersonEvent {
  staffId: string
  event: 'message' | 'messageRead' | 'approvals' | 'mail'
  /** Of a message: its id (the newest of several), its matter and type. */
  msgId?: string
  kind?: string
  type?: string
  /** What is said where that is more than the matter, and what browsers fill in (R158): without names of customers. */
  template?: string
  fill?: readonly { key: string; showFieldName: string }[]
}

/** Channel on which gateways tell each other what concerns one person. */
export const PERSON_CHANNEL = 'person_event'

/** Messages alike to one person, of one write, beyond this are one. */
const MOST_EQUAL = 20
const BATCH = 2_000
const LONGEST_TITLE = 300
const LONGEST_TEXT = 1_000

/** A text as long as its field holds. */
export const cut = (text: string, longest = LONGEST_TITLE): string =>
  [...text].length > longest ? `${[...text].slice(0, longest - 1).join('')}…` : text

/** What is kept of a notice for whoever may not read names, as long as its fields hold. */
export const plainOf = ({ plain }: Pick<Notice, 'plain'>): object | null =>
  plain === undefined
    ? null
    : {
        title: { zh: cut(plain.title.zh), en: cut(plain.title.en) },
        ...(plain.text ? { text: { zh: cut(plain.text.zh, LONGEST_TEXT), en: cut(plain.text.en, LONGEST_TEXT) } } : {}),
      }

/** A notice that names nobody: everybody reads the same. */
export const namingNobody = <Saying extends Said>(notice: Saying): Saying & { plain: Said } => ({
  ...notice,
  plain: { title: notice.title, ...(notice.text ? { text: notice.text } : {}) },
})

/** Writes messages to people, inside the caller's transaction; their open browsers hear of them when it commits, on every gateway. */
export async function send(db: Executor, notices: readonly Notice[], now: Date): Promise<void> {
  const wanted = gathered(notices.filter(({ staffId, senderId }) => staffId !== '' && staffId !== senderId))
  for (let start = 0; start < wanted.length; start += BATCH) {
    const rows = wanted.slice(start, start + BATCH).map((notice) => ({
      id: newId(),
      receiver_id: notice.staffId,
      type: notice.type ?? '7',
      kind: notice.kind,
      title_zh: cut(notice.title.zh),
      title_en: cut(notice.title.en),
      text_zh: notice.text ? cut(notice.text.zh, LONGEST_TEXT) : null,
      text_en: notice.text ? cut(notice.text.en, LONGEST_TEXT) : null,
      plain: plainOf(notice),
      sender_id: notice.senderId || null,
      subject_entity: notice.subject?.entity ?? null,
      subject_id: notice.subject?.id ?? null,
      link: notice.link ?? null,
      unique_key: notice.key,
    }))
    const { rows: written } = await db.query<{ id: string; staffId: string; kind: string; type: string }>(
      `insert into sys_message (id, receiver_id, type, kind, title_zh, title_en, text_zh, text_en, plain, sender_id, subject_entity, subject_id, link, unique_key, status, created_at, updated_at, version)
       select r.id, r.receiver_id, r.type, r.kind, r.title_zh, r.title_en, r.text_zh, r.text_en, r.plain, r.sender_id, r.subject_entity, r.subject_id, r.link, r.unique_key, 'unread', $2, $2, 1
       from jsonb_to_recordset($1::jsonb) as r(id text, receiver_id text, type text, kind text, title_zh text, title_en text, text_zh text, text_en text, plain jsonb, sender_id text, subject_entity text, subject_id text, link text, unique_key text)
       on conflict do nothing returning id, receiver_id as "staffId", kind, type`,
      [JSON.stringify(rows), now.toISOString()],
    )
    await push(
      db,
      written.map(({ id, staffId, kind, type }) => ({ staffId, event: 'message', msgId: id, kind, type })),
    )
  }
}

/** Tells the browsers of people, one event a person: the last of several. */
export async function push(db: Executor, events: readonly PersonEvent[]): Promise<void> {
  const last = new Map(
    events.map((event) => [
      `${event.staffId} ${event.event === 'approvals' || event.event === 'mail' ? event.event : ''}`,
      event,
    ]),
  )
  if (last.size === 0) return
  await db.query('select pg_notify($1, told) from unnest($2::text[]) as told', [
    PERSON_CHANNEL,
    [...last.values()].map((event) => JSON.stringify(event)),
  ])
}

/** Of many messages alike to one person, one that says how many, and leads to their list. */
export function gathered(notices: readonly Notice[]): Notice[] {
  const alike = new Map<string, Notice[]>()
  for (const notice of notices) {
    const key = `${notice.staffId} ${notice.kind}`
    alike.set(key, [...(alike.get(key) ?? []), notice])
  }
  return [...alike.values()].flatMap((some) => (some.length <= MOST_EQUAL ? some : [manyAsOne(some)]))
}

function manyAsOne(notices: readonly Notice[]): Notice {
  const [first] = notices
  const more = (text: Text): Text => ({
    zh: `${text.zh}（另有 ${notices.length - 1} 条）`,
    en: `${text.en} (and ${notices.length - 1} more)`,
  })
  const { title, plain, link, list } = first!
  const said = plain === undefined ? {} : { plain: { ...plain, title: more(plain.title) } }
  return { ...first!, title: more(title), ...said, ...((list ?? link) === undefined ? {} : { link: list ?? link! }) }
}
