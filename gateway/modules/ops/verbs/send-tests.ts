import { ServiceError } from '../../../platform/http'
import type { ModuleVerb } from '../../module'
import { withRoom } from '../sms/room'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const ids = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const among = (field: string, value: readonly unknown[]) => ({ field, operator: 'in' as const, value })

/** `ops.sendTests`: the messages of a test run, one for each number and channel, are made and submitted. */
export const verb: ModuleVerb<'ops.smsTestBatch'> = async (hook, runs) => {
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
    await entities.transitions(
      'ops.smsTest',
      made.map((one) => text(one.id)),
      'submit',
    )
  }
}
