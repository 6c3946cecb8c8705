import type { DemoRecord, DemoWorld } from '../../../demo'
import type { Entities } from '../../../entities'
import { afterMessages, apiQueues, oneTimeCodes, queuedMessages, testMails, waMessages, waSessions } from './messages'
import { testCalls, voiceTasks } from './voice'

/** Traffic of every kind of the last days, once accounts, applications, channels and messages are there. */
export async function fillTraffic(world: DemoWorld, entities: Entities, messages: readonly DemoRecord[]): Promise<void> {
  for (const [entity, make] of [
    ['biz.apiQueue', apiQueues],
    ['biz.voiceTask', voiceTasks],
    ['biz.waSession', waSessions],
  ] as const) {
    world.rows[entity] = make(world)
    await entities.insertMany(entity, world.rows[entity])
  }
  const tasks = world.rows['biz.voiceTask']?.length ?? 0
  if (tasks > 0) await entities.numbers('biz.voiceTask', 'code', tasks)
  const records = {
    ...{ 'biz.smsRecord': queuedMessages(world), ...afterMessages(world, messages), ...testCalls(world) },
    ...{ 'biz.waRecord': waMessages(world), 'biz.mailRecord': testMails(world), 'biz.otpRecord': oneTimeCodes(world) },
  }
  for (const [entity, rows] of Object.entries(records)) await entities.createMany(entity, rows)
}
