import { currencyDigits, roundedText, toExact } from '../../../src/schema/formats'
import type { EntityEngine, EntityRecord } from '../../entities'
import type { Executor, Transaction } from '../../platform/database'
import { systemContext, type Text } from '../../platform/http'
import { MAIL, noticeHtml } from './mail'
import type { NoticePayload } from './post'
import { quietUntil } from './quiet'
import { filled, NOTICE_TEMPLATES, type NoticeEvent } from './templates'

/** What is known of an event beside the instance; everything may be missing. */
export interface NoticeFacts {
  /** People whom the event is for. */
  receiverIds?: readonly string[]
  taskId?: string
  due?: string
  text?: string
  by?: Text
  comment?: Text | string
  hours?: number | string
  error?: Text | string
  /** Address in the portal; without it the task's, else the instance's. */
  target?: string
  /** Of what is no application: the facts by the names of the placeholders. */
  further?: Readonly<Record<string, unknown>>
}

/** Tells chat groups and mailboxes what happens to approvals. */
export interface Notices {
  /**
   * Writes what the groups that want to know are told: in the caller's transaction, sent after its commit. `instance` is a row of
   * wf.instance as it is stored.
   */
  tell(tx: Transaction, event: NoticeEvent, instance: EntityRecord, facts: NoticeFacts): Promise<void>
}

export interface TellParts {
  engine: EntityEngine
  timeZone: string
  now: () => Date
  /** Origin under which people reach the portal. */
  origin: () => string
}

export interface NoticeParts extends TellParts {
  /** Webhooks may lead into private networks. */
  allowPrivate: boolean
}

const SERVICE = 'wf.noticeService'
const LOG = 'wf.noticeLog'
/** A robot takes no more in a minute; what comes beyond waits for the next one. */
const MOST_A_MINUTE = 20
const MINUTE = 60_000
const MOST_FACTS = 4

/** A service as it is stored. */
export interface ServiceRow extends EntityRecord {
  id: string
  kind: string
  address: string
  secret: string | null
  language: string
}

export function teller(parts: TellParts): Notices {
  return {
    async tell(tx, event, instance, facts) {
      const now = parts.now()
      const entities = parts.engine.entities(tx, systemContext({ now }))
      const services = (await entities.list(SERVICE, {
        where: [{ field: 'enabled', operator: 'eq', value: true }],
      })) as ServiceRow[]
      const wanted = services.filter((service) => wants(service, event, instance, facts))
      if (wanted.length === 0) return
      const known = await factsOf(parts, tx, instance, facts)
      for (const service of wanted) {
        const payload = payloadOf(parts, service, event, instance, facts, known)
        const held = await holdOf(parts, tx, service, event, instance, now)
        const saved = await entities.save(LOG, {
          serviceId: service.id,
          event,
          instanceId: typeof instance.id === 'string' ? instance.id : null,
          title: payload.title.slice(0, 500),
          payload,
          ...(held.until ? { notBefore: held.until.toISOString() } : {}),
        })
        const id = String(saved.id)
        if (held.skip !== undefined) await entities.transition(LOG, id, 'skip', { lastError: held.skip })
        else if (!held.until) await entities.transition(LOG, id, 'post')
      }
    },
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

function wants(service: EntityRecord, event: NoticeEvent, instance: EntityRecord, { receiverIds = [] }: NoticeFacts): boolean {
  if (!listOf(service.events).includes(event)) return false
  const [processes, people] = [listOf(service.processIds), listOf(service.receiverIds)]
  if (processes.length > 0 && !processes.includes(instance.processId)) return false
  return people.length === 0 || receiverIds.some((id) => people.includes(id))
}

/** Whether a notice waits, or is not sent at all. */
async function holdOf(
  { timeZone }: TellParts,
  tx: Executor,
  service: EntityRecord,
  event: NoticeEvent,
  instance: EntityRecord,
  now: Date,
): Promise<{ until?: Date; skip?: string }> {
  const every = Number(service.throttleMin ?? 0)
  if (every > 0) {
    const { rows } = await tx.query<{ at: string }>(
      `select max(created_at) as at from wf_notice_log
       where service_id = $1 and event = $2 and instance_id = $3 and status <> 'skipped' and created_at > $4 and deleted_at is null`,
      [String(service.id), event, String(instance.id), new Date(now.getTime() - every * MINUTE).toISOString()],
    )
    if (rows[0]?.at) return { skip: `Said at ${new Date(rows[0].at).toISOString()}; once in ${every} minutes.` }
  }
  const urgent = instance.urgency === 'urgent' || event === 'wfEffectFail'
  if (service.quiet !== false && !(urgent && service.urgentAnyway !== false)) {
    const until = quietUntil(now, String(service.quietFrom ?? '22:00'), String(service.quietTo ?? '08:00'), timeZone)
    if (until) return { until }
  }
  const { rows } = await tx.query<{ recent: number }>(
    `select count(*)::int as recent from wf_notice_log
     where service_id = $1 and status <> 'skipped' and coalesce(not_before, created_at) > $2 and deleted_at is null`,
    [String(service.id), new Date(now.getTime() - MINUTE).toISOString()],
  )
  const recent = Number(rows[0]?.recent ?? 0)
  return recent < MOST_A_MINUTE ? {} : { until: new Date(now.getTime() + MINUTE * Math.floor(recent / MOST_A_MINUTE)) }
}

/** Names and amounts of the instance, as templates name them, in both languages. */
async function factsOf(
  parts: TellParts,
  tx: Executor,
  instance: EntityRecord,
  facts: NoticeFacts,
): Promise<Record<'zh' | 'en', Record<string, unknown>>> {
  const { rows } = await tx.query<{
    name: string | null
    nameEn: string | null
    processZh: string | null
    processEn: string | null
  }>(
    `select s.name, s.name_en as "nameEn", p.name_zh as "processZh", p.name_en as "processEn"
     from (select 1) one left join sys_staff s on s.id = $1 left join wf_process p on p.id = $2`,
    [String(instance.applicantId ?? ''), String(instance.processId ?? '')],
  )
  const row = rows[0]
  const urgency: Text | undefined =
    typeof instance.urgency === 'string' ? parts.engine.dictionaryLabel('urgency', instance.urgency) : undefined
  const { text, by, comment, hours, error } = facts
  const both = {
    code: instance.code,
    amount: amountOf(instance),
    due: dueOf(facts.due, parts.timeZone),
    text,
    hours,
  }
  const said = (language: 'zh' | 'en') => ({
    ...both,
    by: by?.[language],
    comment: typeof comment === 'object' ? comment[language] : comment,
    error: typeof error === 'object' ? error[language] : error,
  })
  return {
    zh: {
      ...said('zh'),
      applicant: row?.name,
      process: row?.processZh,
      title: instance.titleZh,
      urgency: urgency?.zh,
      ...facts.further,
    },
    en: {
      ...said('en'),
      applicant: row?.nameEn ? row.nameEn : row?.name,
      process: row?.processEn,
      title: instance.titleEn ?? instance.titleZh,
      urgency: urgency?.en,
      ...facts.further,
    },
  }
}

function amountOf({ amount, currency }: EntityRecord): string | undefined {
  const exact = toExact(amount)
  if (exact === undefined) return undefined
  const code = typeof currency === 'string' ? currency : ''
  return `${roundedText(exact, currencyDigits(code))} ${code}`.trim()
}

function dueOf(due: string | undefined, timeZone: string): string | undefined {
  if (due === undefined || Number.isNaN(Date.parse(due))) return due
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(due))
}

const FACT_NAMES: readonly (readonly [string, Text])[] = [
  ['applicant', { zh: '发起人', en: 'Applicant' }],
  ['process', { zh: '流程', en: 'Process' }],
  ['amount', { zh: '金额', en: 'Amount' }],
  ['due', { zh: '期限', en: 'Due' }],
  ['urgency', { zh: '紧急程度', en: 'Urgency' }],
  ['severity', { zh: '级别', en: 'Severity' }],
  ['value', { zh: '当前值', en: 'Value' }],
  ['base', { zh: '基准', en: 'Base' }],
  ['threshold', { zh: '阈值', en: 'Threshold' }],
]

function payloadOf(
  parts: TellParts,
  service: EntityRecord,
  event: NoticeEvent,
  instance: EntityRecord,
  facts: NoticeFacts,
  known: Record<'zh' | 'en', Record<string, unknown>>,
): NoticePayload {
  const own = (service.templates as Record<string, Partial<Text>> | null)?.[event]
  const said = (language: 'zh' | 'en'): string => filled(own?.[language] || NOTICE_TEMPLATES[event][language], known[language])
  const language = service.language === 'en' ? 'en' : 'zh'
  const card = FACT_NAMES.flatMap(([name, label]) => {
    const value = known[language][name]
    return typeof value === 'string' && value !== '' ? [{ name: label[language], value }] : []
  })
  const payload: NoticePayload = {
    event,
    title: said(language),
    text: service.language === 'both' ? said('en') : '',
    facts: card.slice(0, MOST_FACTS),
    link: linkTo(parts.origin(), facts.target ?? placeOf(instance, facts)),
    at: parts.now().toISOString(),
  }
  return service.kind === MAIL ? { ...payload, html: noticeHtml(payload) } : payload
}

/** The page where a person sees to it: his task, else the application. */
const placeOf = (instance: EntityRecord, { taskId }: NoticeFacts): string =>
  taskId === undefined
    ? `/general/process/my-initiate/profile?instanceId=${encodeURIComponent(String(instance.id))}`
    : `/general/process/my-agent/profile?taskId=${encodeURIComponent(taskId)}`

/** The address that leads to a page of the portal after sign-in. */
export const linkTo = (origin: string, target: string): string => `${origin}/ddNotice?target=${encodeURIComponent(target)}`
