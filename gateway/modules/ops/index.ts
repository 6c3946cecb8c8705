/** Operations: work orders, tests of messages and calls, short links. */
import type { LookupFunction, Verb } from '../../entities'
import type { GatewayModule } from '../module'
import { dial, placeCalls, queueCalls, runTimed } from './calls/verbs'
import { opsSettings } from './configuration'
import type { Connectors } from './connector'
import { connectorsOf } from './connectors'
import { opsDemo } from './demo'
import { judgeLinks } from './links/verbs'
import { receiptKeeper } from './sms/receipts'
import { countSegments, freeNumbers, runCycle, sendSms, sendTests } from './sms/verbs'

/** The time limit of a work order stood still while its supplier was waited for. */
const goOn: Verb = ({ now }, runs) => {
  for (const { subject } of runs) {
    const { slaDue, waitedSince } = subject.record
    if (typeof slaDue === 'string' && typeof waitedSince === 'string')
      subject.record.slaDue = new Date(Date.parse(slaDue) + now.getTime() - Date.parse(waitedSince)).toISOString()
    subject.record.waitedSince = null
  }
  return Promise.resolve()
}

/** `ops.connection`: whether a test of a kind reaches a machine, and whether that is told which channel to take. */
const connection =
  ({ sms, voice, namesChannels }: Connectors): LookupFunction =>
  (_, asked) =>
    Promise.resolve(
      asked.map(({ kind }) => ({ connected: (kind === 'sms' ? sms : voice) !== undefined, canName: namesChannels })),
    )

/** Operations in the gateway. */
export const ops: GatewayModule = {
  settings: opsSettings,
  services: ({ engine, configuration }) => {
    const connectors = connectorsOf(engine, configuration)
    connectors.onReceipt = receiptKeeper(engine)
    engine.registerVerb('ops.goOn', goOn)
    engine.registerVerb('ops.judgeLinks', judgeLinks)
    engine.registerVerb('ops.countSegments', countSegments)
    engine.registerVerb('ops.freeNumbers', freeNumbers)
    engine.registerVerb('ops.sendTests', sendTests)
    engine.registerVerb('ops.runCycle', runCycle)
    engine.registerVerb('ops.placeCalls', placeCalls)
    engine.registerVerb('ops.queueCalls', queueCalls)
    engine.registerVerb('ops.runTimed', runTimed)
    engine.registerFunction('ops.connection', connection(connectors))
    engine.registerOutsideVerb('ops.sendSms', sendSms(connectors))
    engine.registerOutsideVerb('ops.dial', dial(connectors))
    return {}
  },
  serve: ({ app, engine, configuration }) => {
    const { sms, voice } = connectorsOf(engine, configuration)
    app.addHook('onClose', async () => {
      await Promise.all([sms?.close(), voice?.close()])
    })
  },
  demo: opsDemo,
}
