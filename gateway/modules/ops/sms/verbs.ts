import { randomInt } from 'node:crypto'
import { segmentsOf } from '../../../../src/schema/sms/segments'
import type { OutsideVerb, Verb, VerbContext, RecordOf } from '../../../entities'
import { instantAt, dayOf } from '../../../platform/calendar'
import { ServiceError } from '../../../platform/http'
import type { Connectors } from '../connector'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const ids = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const eq = (field: string, value: unknown) => ({ field, operator: 'eq' as const, value })
const among = (field: string, value: readonly unknown[]) => ({ field, operator: 'in' as const, value })

/** `ops.countSegments`: how many segments the text of a template takes. */
export const countSegments: Verb = (_, runs) => {
  for (const { subject } of runs) subject.record.segments = segmentsOf(text(subject.record.content)).segments
  return Promise.resolve()
}

/** `ops.freeNumbers`: what was barred by entries of the blacklist that end is tested again, unless another entry bars it. */
export const freeNumbers: Verb = async ({ entities }, runs) => {
  const over = runs.map(({ subject }) => subject.record)
  const active = await entities.list('ops.testBlack', {
    where: [eq('status', 'active'), among('value', over.map(({ value }) => value))], // prettier-ignore
  })
  const ended = new Set(over.map(({ id }) => text(id)))
  const barred = new Set(active.filter(({ id }) => !ended.has(text(id))).map(({ kind, value }) => `${text(kind)}:${text(value)}`))
  for (const kind of ['number', 'device']) {
    const values = over
      .filter((entry) => entry.kind === kind && !barred.has(`${kind}:${text(entry.value)}`))
      .map(({ value }) => value)
    if (values.length === 0) continue
    const rows = await entities.list('ops.smsTestNumber', { where: [eq('status', 'blacklisted'), among(kind, values)] })
    await entities.transitions('ops.smsTestNumber', rows.map(({ id }) => text(id)), 'lift') // prettier-ignore
  }
}

/** Numbers with room for another test today, the best source first. */
async function withRoom(
  { entities, now, tx }: VerbContext,
  numbers: readonly RecordOf<'ops.smsTestNumber'>[],
): Promise<RecordOf<'ops.smsTestNumber'>[]> {
  const since = instantAt(dayOf(now, tx.companyTimeZone), '00:00', tx.companyTimeZone)
  const today = await entities.list('ops.smsTest', {
    where: [among('numberId', numbers.map(({ id }) => id)), { field: 'createdAt', operator: 'gte', value: new Date(since).toISOString() }], // prettier-ignore
    limit: 100_000,
  })
  const used = new Map<string, number>()
  for (const { numberId } of today) used.set(text(numberId), (used.get(text(numberId)) ?? 0) + 1)
  return numbers.filter(({ id, dailyCap }) => (used.get(text(id)) ?? 0) < Number(dailyCap ?? 0))
}

/** `ops.sendTests`: the messages of a test run, one for each number and channel, are made and submitted. */
export const sendTests: Verb<'ops.smsTestBatch'> = async (hook, runs) => {
  const { entities } = hook
  for (const { subject } of runs) {
    const { id, numberIds, channelIds, senderId, content, cycleTestId } = subject.record
    const named = await entities.list('ops.smsTestNumber', {
      where: [among('id', ids(numberIds)), among('status', ['ok', 'suspect'])],
    })
    const numbers = await withRoom(hook, named)
    if (numbers.length === 0)
      throw new ServiceError('badRequest', {
        message: {
          zh: '所选号码都无效、在黑名单或已达当日上限。',
          en: 'The numbers are all invalid, blacklisted, or at their daily cap.',
        },
      })
    const channels = ids(channelIds).length > 0 ? ids(channelIds) : [null]
    const made = await entities.createMany(
      'ops.smsTest',
      numbers.flatMap((number) =>
        channels.map((channelId) => ({
          ...{ batchId: id, cycleTestId: cycleTestId ?? null, numberId: number.id, channelId, senderId, content },
          ...{ country: number.country, mccmnc: number.mccmnc, costPerTest: number.costPerTest, currency: number.currency },
        })),
      ),
    )
    await entities.transitions('ops.smsTest', made.map((one) => text(one.id)), 'submit') // prettier-ignore
  }
}

const CODE_DIGITS = 1_000_000

/** `ops.runCycle`: a run of a cycle test with valid numbers of its countries; without any it is skipped and counted. */
export const runCycle: Verb<'ops.cycleTest'> = async (hook, runs) => {
  const { entities, now } = hook
  const sources = await entities.list('ops.numberSource', { where: [eq('status', 'enabled')] })
  const priority = new Map(sources.map((source) => [text(source.id), Number(source.priority)]))
  for (const { subject } of runs) {
    const cycle = subject.record
    const valid = await withRoom(
      hook,
      await entities.list('ops.smsTestNumber', { where: [eq('status', 'ok'), among('country', ids(cycle.countries))] }),
    )
    const order = (row: RecordOf<'ops.smsTestNumber'>): number => priority.get(text(row.sourceId)) ?? Infinity
    const chosen = valid
      .sort((a, b) => order(a) - order(b) || Number(a.tests ?? 0) - Number(b.tests ?? 0))
      .slice(0, Number(cycle.perRun))
    if (chosen.length === 0) {
      cycle.skipped = Number(cycle.skipped ?? 0) + 1
      continue
    }
    const code = String(randomInt(CODE_DIGITS)).padStart(6, '0')
    const batch = await entities.save('ops.smsTestBatch', {
      ...{ origin: 'cycle', cycleTestId: cycle.id, numberIds: chosen.map(({ id }) => id), channelIds: ids(cycle.channelIds) },
      ...{ senderId: cycle.senderId, content: text(cycle.contentRule).replaceAll('{code}', code) },
    })
    await entities.transition('ops.smsTestBatch', text(batch.id), 'send')
    cycle.lastRunAt = now.toISOString()
  }
}

/** `ops.sendSms`: submits one test message. */
export const sendSms =
  ({ sms }: Connectors): OutsideVerb =>
  async ({ with: { to, sender, content, channel }, signal }) => {
    if (!sms)
      throw new Error(
        '短信网关未连接，请由管理员在配置中填写地址 / The SMS gateway is not connected: an administrator has to configure its address',
      )
    const order = { to: text(to), sender: text(sender), content: text(content), channel: text(channel) || null }
    const { accepted, messageId, errorCode } = await sms.ask(order, signal)
    return { submitState: accepted ? 'accepted' : 'refused', messageId, errorCode, sentAt: new Date().toISOString() }
  }
