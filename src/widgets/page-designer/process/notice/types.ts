import type { BilingualText } from '../../../../schema/problem'

/** A code and what it is called. */
export interface Named {
  code: string
  label: BilingualText
}

/** A delivery of the log. */
export interface Delivery {
  id: string
  version: number
  event: string
  title: string
  status: string
  attempts: number
  answer: string | null
  lastError: string | null
  createdAt: string
  sentAt: string | null
}

/** What a chat notice may say, and to whom; the same for all of them. */
export interface NoticeWords {
  /** What each event says unless the notice says something else. */
  defaults: Readonly<Record<string, BilingualText>>
  names: Readonly<Record<string, BilingualText>>
  placeholders: readonly string[]
  kinds: readonly Named[]
  languages: readonly Named[]
  states: readonly Named[]
}

/** Texts of a notice by event; empty ones are the usual ones. */
export type Templates = Readonly<Record<string, Partial<BilingualText>>>

/** What can be typed of a chat notice. */
export interface NoticeDraft {
  name: string
  kind: string
  address: string
  events: readonly string[]
  processIds: readonly string[]
  receiverIds: readonly string[]
  templates: Templates
  language: string
  atAll: boolean
  quiet: boolean
  quietFrom: string
  quietTo: string
  urgentAnyway: boolean
  throttleMin: number
}

/** Answer of GET /v2/sys/staff/dingNotice/getDingNoticeDetailById. */
export interface NoticeDetail extends NoticeWords {
  id?: string
  version?: number
  enabled?: boolean
  hasSecret: boolean
  log: readonly Delivery[]
  /** Titles of the records that the notice names: entity -> id -> title. */
  refs?: Readonly<Record<string, Readonly<Record<string, { title: string }>>>>
}

/** Answer of POST /v2/sys/staff/dingNotice/testDingNotice. */
export interface TestAnswer {
  ok: boolean
  status: number | null
  answer: string | null
  error: string | null
}
