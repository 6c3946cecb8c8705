import { contextOf, ok, ServiceError, type RequestContext } from '../../../platform/http'
import { dayOf } from '../../../platform/calendar'
import { cleanHtml } from '../../../platform/mail'
import type { EntityRecord } from '../../../entities'
import type { ModuleCall } from '../../module'
import { audienceOf, type Candidate } from '../campaigns/audience'
import { without, skippedOf } from '../campaigns/campaign'
import { letterFor, localeOf, missingValues, type Reader } from '../campaigns/letter'
import { expectedEnd } from '../campaigns/pace'
import { campaignParts } from '../campaigns/parts'
import { mayWriteFrom, roomToday, senderOf, shareOfDay, type Sender } from '../campaigns/sender'
import { campaignLine } from '../campaigns/sending'
import { sendTest } from '../campaigns/testing'
import { textOf } from '../services/values'

const VALUES = {
  type: 'object',
  required: ['values'],
  properties: { values: { type: 'object', additionalProperties: true } },
} as const
const config = { permission: 'crm:campaign:add' }
const described = (summary: string, properties: object = {}) => ({
  config,
  schema: { tags: ['crm'], summary, body: { ...VALUES, properties: { ...VALUES.properties, ...properties } } },
})

interface Body {
  values: EntityRecord
}

/** What a form of a campaign asks while it is filled in: whom it reaches, how it reads, a test of it. Nothing of it is kept. */
export const call: ModuleCall = (moduleParts) => {
  const parts = campaignParts(moduleParts)
  const { app, engine, database } = moduleParts
  parts.queue.define(campaignLine(parts))
  const candidates = (context: RequestContext, values: EntityRecord): Promise<Candidate[]> =>
    audienceOf({ engine, db: database }, context, values)
  /** The mailbox that is chosen, where the caller may write from it. */
  const sender = async ({ user }: RequestContext, values: EntityRecord): Promise<Sender | null> => {
    const id = engine.names().includes('mail.account') ? textOf(values.senderId) : null
    return id !== null && (await mayWriteFrom(database, id, user.staffId)) ? senderOf(database, id, user.staffId) : null
  }

  app.post<{ Body: Body }>(
    '/v2/crm/mailCampaign/audience',
    described('Whom a campaign reaches in the caller’s row scope, who is passed over and why, and when it would end'),
    async (request) => {
      const context = contextOf(request)
      const { values } = request.body
      const [all, from] = [await candidates(context, values), await sender(context, values)]
      const going = all.filter(({ skip }) => skip === null)
      const missing = missingValues(values, going, from ?? { name: '', mobile: null })
      const perHour = Math.min(2_000, Math.max(10, Number(values.perHour) || 200))
      const begins = new Date(Math.max(context.now.getTime(), Date.parse(textOf(values.sendAt) ?? '') || 0))
      return ok({
        total: going.length,
        skipped: skippedOf(all),
        missing: missing.map((one) => ({ ...one, message: without(one)[context.locale] })),
        sample: going.slice(0, 5).map(({ name, customerName, language }) => ({ name, customerName, language })),
        tracked: parts.publicBase !== '',
        sender: from && { address: from.address, dailyLimit: from.dailyLimit, share: shareOfDay(from) },
        expectedEnd: from && endOf(from, going.length, perHour, begins),
      })
    },
  )

  app.post<{ Body: Body & { locale: 'zh' | 'en' } }>(
    '/v2/crm/mailCampaign/preview',
    described('A campaign as somebody reads it who reads Chinese, or does not', {
      locale: { enum: ['zh', 'en'], default: 'zh' },
    }),
    async (request) => {
      const context = contextOf(request)
      const { values, locale } = request.body
      const from = await sender(context, values)
      const all = (await candidates(context, values)).filter(
        ({ skip, language }) => skip === null && localeOf(language) === locale,
      )
      const language = locale === 'zh' ? 'zh-CN' : 'en-US'
      const reader: Reader = all[0] ?? { language, name: locale === 'zh' ? '李明' : 'Anna Smith', customerName: 'Example Ltd' }
      const writer = from ?? { name: context.user.name, mobile: null }
      const letter = letterFor(values, reader, { writer, today: dayOf(context.now, parts.timeZone) }, null)
      return ok({ subject: letter.subject, html: cleanHtml(letter.html).html, isSample: all.length === 0, readers: all.length })
    },
  )

  app.post<{ Body: Body }>(
    '/v2/crm/mailCampaign/test',
    described('Sends a test of a campaign to the caller, in each of its languages'),
    async (request) => {
      const context = contextOf(request)
      const from = await sender(context, request.body.values)
      if (!from) throw new ServiceError('transitionRefused', { message: NO_SENDER })
      return ok(await sendTest(parts, context, request.body.values, from))
    },
  )
}

const NO_SENDER = { zh: '请先选择您可以发信的发件箱。', en: 'Choose a mailbox first that you may write from.' }

const endOf = (sender: Sender, left: number, perHour: number, now: Date): string =>
  expectedEnd({
    ...{ left, perHour, share: shareOfDay(sender), today: roomToday(sender, 0, now), now, timeZone: sender.timeZone },
  }).toISOString()
