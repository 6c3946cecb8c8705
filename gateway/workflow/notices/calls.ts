import type { FastifyInstance } from 'fastify'
import { isMailAddress, parseAddresses } from '../../../src/headless/mail'
import { isWebAddress } from '../../../src/schema/formats'
import { refusal, type InputProblem, type RecordOf } from '../../entities'
import { newId } from '../../platform/database'
import { contextOf, ok, ServiceError, systemContext, type RequestContext, type Text } from '../../platform/http'
import { deliver } from './deliver'
import { MAIL, noticeHtml, sendsMail } from './mail'
import { PrivateAddressError, refusePrivateHost } from '../../platform/outside'
import type { NoticePayload } from './post'
import { filled, isNoticeEvent, NOTICE_TEMPLATES, PLACEHOLDERS, unknownPlaceholders } from './templates'
import { linkTo, type NoticeParts } from './tell'

const SERVICE = 'wf.noticeService'
const BASE = '/v2/sys/staff/dingNotice'
const ADMIN = 'wf:admin'
const LONGEST_TEMPLATE = 500
const TEST_PATIENCE = 15_000
const FIELDS = [
  'name',
  'kind',
  'address',
  'events',
  'processIds',
  'receiverIds',
  'templates',
  'language',
  'atAll',
  'quiet',
  'quietFrom',
  'quietTo',
  'urgentAnyway',
  'throttleMin',
  'enabled',
] as const

const ID = { type: 'string', minLength: 1, maxLength: 40 } as const
const IDS = { type: 'array', maxItems: 100, items: ID } as const
const CLOCK = { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' } as const
const TEXT = {
  type: 'object',
  properties: { zh: { type: 'string', maxLength: LONGEST_TEMPLATE }, en: { type: 'string', maxLength: LONGEST_TEMPLATE } },
  additionalProperties: false,
} as const

/** The calls of chat notices (calls.tsv 184 to 187), and one that tries a webhook. */
export function serveNotices(app: FastifyInstance, parts: NoticeParts): void {
  const { engine } = parts
  const config = { permission: ADMIN }
  const tags = ['workflow']

  app.post(
    `${BASE}/pageDingNotice`,
    {
      config,
      schema: {
        tags,
        summary: 'Chat notices, a page of them',
        body: {
          type: 'object',
          additionalProperties: false,
          properties: {
            pageNum: { type: 'integer', minimum: 1, maximum: 10_000 },
            pageSize: { type: 'integer', minimum: 1, maximum: 200 },
            keyword: { type: 'string', maxLength: 100 },
            event: { type: 'string', maxLength: 40 },
            enabled: { type: 'boolean' },
          },
        },
      },
    },
    async (request) => {
      const { pageNum = 1, pageSize = 20, keyword, event, enabled } = request.body as PageBody
      const { records, total, refs } = await engine.queryPage(SERVICE, contextOf(request), {
        pageNo: pageNum,
        pageSize,
        ...(keyword === undefined || keyword === '' ? {} : { keyword }),
        where: [
          ...(event === undefined ? [] : [{ field: 'events', operator: 'in' as const, value: [event] }]),
          ...(enabled === undefined ? [] : [{ field: 'enabled', operator: 'eq' as const, value: enabled }]),
        ],
      })
      return ok({ total, pageNum, pageSize, list: records, refs })
    },
  )

  app.get(
    `${BASE}/getDingNoticeDetailById`,
    {
      config,
      schema: {
        tags,
        summary:
          'A chat notice with its templates, its last deliveries and what may be said in it; without an id what a new one may say; its secret is never told',
        querystring: { type: 'object', properties: { id: ID } },
      },
    },
    async (request) => {
      const { id } = request.query as { id?: string }
      const context = contextOf(request)
      const words = {
        defaults: NOTICE_TEMPLATES,
        names: Object.fromEntries(
          Object.keys(NOTICE_TEMPLATES).map((event) => [event, engine.dictionaryLabel('noticeEvent', event)]),
        ),
        placeholders: PLACEHOLDERS,
        kinds: engine.dictionaryChoices('noticeTarget').filter(({ code }) => code !== MAIL || sendsMail(engine)),
        languages: engine.dictionaryChoices('noticeLanguage'),
        states: engine.dictionaryChoices('noticeLogStatus'),
      }
      if (id === undefined) return ok({ ...words, hasSecret: false, log: [] })
      const { secret, ...service } = await stored(parts, context, id)
      const { refs } = await engine.queryPage(SERVICE, context, {
        pageSize: 1,
        where: [{ field: 'id', operator: 'eq', value: id }],
      })
      const { records: log } = await engine.queryPage('wf.noticeLog', context, {
        pageSize: 20,
        where: [{ field: 'serviceId', operator: 'eq', value: id }],
      })
      const hasSecret = typeof secret === 'string' && secret !== ''
      return ok({ ...service, ...words, hasSecret, log, refs })
    },
  )

  app.post(
    `${BASE}/saveOrUpdateDingNotice`,
    {
      config,
      schema: {
        tags,
        summary: 'Makes or changes a chat notice; `secret` is kept when it is not given, and removed by null',
        body: {
          type: 'object',
          required: ['name', 'kind', 'address', 'events'],
          additionalProperties: false,
          properties: {
            id: ID,
            version: { type: 'integer', minimum: 1 },
            name: { type: 'string', minLength: 1, maxLength: 60 },
            kind: { type: 'string', enum: ['dingTalk', 'feishu', 'plain', MAIL] },
            address: { type: 'string', minLength: 1, maxLength: 500 },
            secret: { type: ['string', 'null'], maxLength: 200 },
            events: { type: 'array', minItems: 1, maxItems: 40, items: { type: 'string', maxLength: 40 } },
            processIds: IDS,
            receiverIds: IDS,
            templates: { type: 'object', maxProperties: 40, additionalProperties: TEXT },
            language: { type: 'string', enum: ['zh', 'en', 'both'] },
            atAll: { type: 'boolean' },
            quiet: { type: 'boolean' },
            quietFrom: CLOCK,
            quietTo: CLOCK,
            urgentAnyway: { type: 'boolean' },
            throttleMin: { type: 'integer', minimum: 0, maximum: 1440 },
            enabled: { type: 'boolean' },
          },
        },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const body = request.body as SaveBody
      refuseWrong(parts, context, body)
      return engine.transaction(context, async (entities, tx) => {
        if (body.id !== undefined) existing(await entities.find(SERVICE, body.id, { lock: true }))
        const values = Object.fromEntries(FIELDS.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]))
        const { id } = await entities.save(SERVICE, {
          ...values,
          ...(body.id === undefined ? {} : { id: body.id }),
          ...(body.version === undefined ? {} : { version: body.version }),
          ...(body.secret === undefined ? {} : { secret: body.secret?.trim() || null }),
        })
        const answer = ok({ id })
        await context.idempotence?.settle(tx, answer)
        return answer
      })
    },
  )

  app.post(
    `${BASE}/enableDingNotice`,
    {
      config,
      schema: {
        tags,
        summary: 'Turns a chat notice on or off',
        querystring: {
          type: 'object',
          required: ['id', 'enable'],
          properties: { id: ID, enable: { type: 'string', enum: ['true', 'false', '1', '0'] } },
        },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const { id, enable } = request.query as { id: string; enable: string }
      const enabled = enable === 'true' || enable === '1'
      return engine.transaction(context, async (entities, tx) => {
        const found = existing(await entities.find(SERVICE, id, { lock: true }))
        if (found.enabled !== enabled) await entities.save(SERVICE, { id, enabled })
        const answer = ok({ id, enabled })
        await context.idempotence?.settle(tx, answer)
        return answer
      })
    },
  )

  app.post(
    `${BASE}/testDingNotice`,
    {
      config,
      schema: {
        tags,
        summary: 'Sends a test message to the webhook of a chat notice at once; answers what came back',
        querystring: { type: 'object', required: ['id'], properties: { id: ID } },
      },
    },
    async (request) => {
      const { id } = request.query as { id: string }
      const context = contextOf(request)
      const service = await stored(parts, context, id)
      return ok(await tried(parts, service, context))
    },
  )
}

interface PageBody {
  pageNum?: number
  pageSize?: number
  keyword?: string
  event?: string
  enabled?: boolean
}

type SaveBody = Partial<Record<(typeof FIELDS)[number], unknown>> & {
  id?: string
  version?: number
  secret?: string | null
  kind: string
  address: string
  events: string[]
  templates?: Record<string, Partial<Text>>
}

const existing = <Found>(found: Found | null): Found => {
  if (!found) throw new ServiceError('notFound')
  return found
}

const stored = async ({ engine }: NoticeParts, context: RequestContext, id: string): Promise<RecordOf<'wf.noticeService'>> =>
  existing(await engine.transaction(context, (entities) => entities.find(SERVICE, id)))

/** What the shape of the request does not tell. */
function refuseWrong(
  { allowPrivate, engine }: NoticeParts,
  { locale }: RequestContext,
  { kind, address, events, templates = {} }: SaveBody,
): void {
  const problems: InputProblem[] = []
  const add = (field: string, zh: string, en: string): void => void problems.push({ field, message: { zh, en } })
  if (kind === MAIL) {
    const wrong = parseAddresses(address).filter(({ email }) => !isMailAddress(email))
    for (const { email } of wrong) add('address', `“${email}”不是邮箱地址。`, `"${email}" is no e-mail address.`)
    if (!sendsMail(engine))
      add('kind', '没有邮件模块，通知不能用邮件发送。', 'There is no module of mail: notices cannot be mailed.')
  } else if (!isWebAddress(address) || !URL.canParse(address))
    add('address', '请填写以 http:// 或 https:// 开头的地址。', 'Enter an address that begins with http:// or https://.')
  else if (!allowPrivate)
    try {
      refusePrivateHost(new URL(address))
    } catch (error) {
      if (!(error instanceof PrivateAddressError)) throw error
      add(
        'address',
        '该地址位于内部网络，通知不能发往那里；如确需，请运维人员设置 NOTICE_PRIVATE_NETWORKS。',
        'This is an address of a private network, where notices do not go. If it has to be, ask an operator to set NOTICE_PRIVATE_NETWORKS.',
      )
    }
  for (const event of [...events, ...Object.keys(templates)].filter((name) => !isNoticeEvent(name)))
    add('events', `没有事件“${event}”。`, `There is no event "${event}".`)
  for (const [event, texts] of Object.entries(templates))
    for (const name of new Set(Object.values(texts).flatMap((text) => unknownPlaceholders(text))))
      add(
        'templates',
        `模板“${event}”中没有占位符 {${name}}；可用：${PLACEHOLDERS.join('、')}。`,
        `The template of "${event}" has no placeholder {${name}}; there are ${PLACEHOLDERS.join(', ')}.`,
      )
  if (problems.length > 0) throw refusal('validationFailed', locale, problems)
}

/** Sends a made-up notice and keeps in the log what came of it. */
async function tried(parts: NoticeParts, service: RecordOf<'wf.noticeService'>, { user, now }: RequestContext): Promise<object> {
  const [event = 'wfTodo'] = (service.events as string[]).filter(isNoticeEvent)
  const facts = { applicant: user.name, by: user.name, process: '测试 Test', code: 'TEST-0001', amount: '1,000.00 USD' }
  const texts = (service.templates as Record<string, Partial<Text>> | null)?.[event]
  const said = (language: 'zh' | 'en'): string => filled(texts?.[language] || NOTICE_TEMPLATES[event][language], facts)
  const language = service.language === 'en' ? 'en' : 'zh'
  const payload: NoticePayload = {
    event,
    title: `${language === 'en' ? '[Test] ' : '【测试】'}${said(language)}`,
    text: service.language === 'both' ? said('en') : '',
    facts: [{ name: language === 'en' ? 'Sent by' : '发送人', value: user.name }],
    link: linkTo(parts.origin(), '/general/process/my-agent'),
    at: now.toISOString(),
  }
  if (service.kind === MAIL) return mailed(parts, service.id, event, { ...payload, html: noticeHtml(payload) })
  const id = newId()
  const options = { now: parts.now(), allowPrivate: parts.allowPrivate, signal: AbortSignal.timeout(TEST_PATIENCE), key: id }
  const outcome = await deliver(parts.engine, String(service.id), payload, options).then(
    ({ status, text }) => ({ ok: true, status, answer: text, error: null }),
    (error: unknown) => ({
      ok: false,
      status: null,
      answer: null,
      error: error instanceof Error ? error.message : String(error),
    }),
  )
  const { answer, error } = outcome
  const row = {
    id,
    serviceId: service.id,
    event,
    title: payload.title,
    payload,
    status: outcome.ok ? 'done' : 'failed',
    attempts: 1,
    answer,
    lastError: error,
    sentAt: outcome.ok ? parts.now().toISOString() : null,
  }
  await parts.engine.transaction(systemContext({ now: parts.now() }), (entities) => entities.insertMany('wf.noticeLog', [row]))
  return outcome
}

const LOOK_EVERY = 300

/** The same by mail: what became of it when it was sent, else that it is on its way. */
async function mailed({ engine, now }: NoticeParts, serviceId: string, event: string, payload: NoticePayload): Promise<object> {
  const context = systemContext({ now: now() })
  const id = await engine.transaction(context, async (entities) => {
    const saved = await entities.save('wf.noticeLog', { serviceId, event, title: payload.title, payload })
    await entities.transition('wf.noticeLog', saved.id, 'post')
    return saved.id
  })
  const patience = AbortSignal.timeout(TEST_PATIENCE)
  for (;;) {
    const row = existing(await engine.transaction(context, (entities) => entities.find('wf.noticeLog', id)))
    if (row.status === 'failed') return { ok: false, status: null, answer: null, error: row.lastError }
    if (row.status === 'done' || patience.aborted) return { ok: true, status: null, answer: null, error: null }
    await new Promise((wake) => setTimeout(wake, LOOK_EVERY))
  }
}
