import { randomBytes } from 'node:crypto'
import type { EntityEngine, EntityService, Entities, TransitionHook, EntityRecord } from '../../../entities'
import { newId } from '../../../platform/database'
import { ServiceError, type Text } from '../../../platform/http'
import { textOf } from '../services/values'
import { audienceOf, type Candidate } from './audience'
import { linksIn, missingValues, unknownVariables } from './letter'
import { CAMPAIGN_LINE, openedCampaigns } from './parts'
import { mayWriteFrom, senderOf } from './sender'
import { SKIPS } from './skipping'

/** Campaigns: what they may be sent from, and that their recipients stand once they are sent. */
export const campaignService = (engine: EntityEngine): EntityService<'crm.mailCampaign'> => ({
  async beforeSave({ record, before, context, tx, entities, fail }) {
    const senderId = textOf(record.senderId)
    const isNew = before?.senderId !== senderId
    if (context.kind === 'staff' && senderId !== null && isNew && entities.has('mail.account'))
      if (!(await mayWriteFrom(tx, senderId, context.user.staffId)))
        fail({
          field: 'senderId',
          message: { zh: '您不能用此邮箱发信，请另选。', en: 'You may not write from this mailbox: choose another one.' },
        })
    const unknown = unknownVariables(record)
    if (unknown.length > 0)
      fail({
        field: 'body',
        message: { zh: `没有这些变量：${unknown.join('、')}`, en: `There are no such variables: ${unknown.join(', ')}` },
      })
  },
  async guard({ transition, before, context, tx, entities }) {
    if (transition.id !== 'send') return null
    if (context.kind === 'staff' && before.ownerId !== context.user.staffId)
      return { zh: '只有负责人可以发送。', en: 'Only its owner may send it.' }
    if (!entities.has('mail.account')) return { zh: '未启用邮件模块。', en: 'There is no mail module.' }
    const sender = await senderOf(tx, before.senderId, before.ownerId)
    if (!sender || !['active', 'failing'].includes(sender.state))
      return { zh: '发件箱未启用，请另选。', en: 'The mailbox does not work: choose another one.' }
    const mayWrite = context.kind !== 'staff' || (await mayWriteFrom(tx, sender.id, context.user.staffId))
    return mayWrite ? null : { zh: '您不能用此邮箱发信。', en: 'You may not write from this mailbox.' }
  },
  effect({ transition, record }) {
    if (transition.id !== 'send') return
    const tracked = openedCampaigns(engine).publicBase !== ''
    Object.assign(record, { secret: randomBytes(32).toString('base64url'), links: linksIn(record), tracked })
  },
  async afterEffect(hook) {
    const { transition, record, tx, now } = hook
    if (transition.id !== 'send' && transition.id !== 'resume') return
    if (transition.id === 'send') await freezeRecipients(engine, hook)
    const at = transition.id === 'send' && record.sendAt !== null ? new Date(record.sendAt) : now
    await openedCampaigns(engine).queue.send(tx, CAMPAIGN_LINE, [{ key: record.id, at: at < now ? now : at }])
  },
})

/** Writes down whom a campaign goes to, and who is passed over and why; from then on neither they nor its links change. */
async function freezeRecipients(engine: EntityEngine, hook: TransitionHook<'crm.mailCampaign'>): Promise<void> {
  const { record, context, tx, entities, now } = hook
  const candidates = await audienceOf({ engine, db: tx }, context, record)
  const going = candidates.filter(({ skip }) => skip === null)
  if (going.length === 0) throw new ServiceError('transitionRefused', { message: nobody(candidates) })
  const writer = await senderOf(tx, record.senderId, record.ownerId)
  const [missing] = missingValues(record, going, writer ?? { name: '', mobile: null })
  if (missing) throw new ServiceError('transitionRefused', { message: without(missing) })
  const stamp = { campaignId: record.id, createdAt: now.toISOString(), createdBy: context.user.staffId, version: 1 }
  await insertAll(
    entities,
    'crm.mailRecipient',
    candidates.map(({ skip, customerName, ...candidate }) => ({
      ...{
        id: newId(),
        ...stamp,
        ...candidate,
        email: candidate.email.slice(0, 320),
        name: candidate.name?.slice(0, 120) ?? null,
      },
      ...{ variables: { customerName }, status: skip === null ? 'waiting' : 'skipped', skippedBecause: skip },
    })),
  )
  await insertAll(
    entities,
    'crm.mailLink',
    linksIn(record).map((url, position) => ({ id: newId(), ...stamp, position: position + 1, url: url.slice(0, 2_000) })),
  )
}

const BATCH = 1_000

async function insertAll(entities: Entities, entity: string, rows: readonly EntityRecord[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) await entities.insertMany(entity, rows.slice(start, start + BATCH))
}

/** How many are passed over for each reason. */
export function skippedOf(candidates: readonly Candidate[]): Record<string, number> {
  return Object.fromEntries(
    SKIPS.flatMap((reason) => {
      const count = candidates.filter(({ skip }) => skip === reason).length
      return count > 0 ? [[reason, count]] : []
    }),
  )
}

const nobody = (candidates: readonly Candidate[]): Text =>
  candidates.length === 0
    ? { zh: '没有收件人：请放宽范围。', en: 'Nobody is reached: widen the audience.' }
    : {
        zh: `范围内 ${candidates.length} 人都会被跳过，没有可发的收件人。`,
        en: `All ${candidates.length} of the audience would be passed over: nobody is left to write to.`,
      }

const FALLBACKS: Readonly<Record<string, Text>> = {
  'contact.name': { zh: '请填写“没有联系人姓名时写”', en: 'say what to write without a contact’s name' },
  'customer.name': { zh: '请填写“没有客户名称时写”', en: 'say what to write without a company’s name' },
  'me.mobile': { zh: '请在个人资料中填写手机，或去掉该变量', en: 'add your phone to your profile, or leave the variable out' },
}

/** What is missing, for how many, and what to do. */
export function without({ variable, readers }: { variable: string; readers: number }): Text {
  const todo = FALLBACKS[variable] ?? { zh: '请去掉该变量', en: 'leave the variable out' }
  return {
    zh: `${readers} 位收件人没有 {{${variable}}} 的值：${todo.zh}。`,
    en: `${readers} recipients have no value for {{${variable}}}: ${todo.en}.`,
  }
}
