/** Operations: work orders, tests of messages and calls, short links. */
import type { LookupFunction } from '../../entities'
import type { GatewayModule } from '../module'
import { opsSettings } from './configuration'
import type { Connectors } from './connector'
import { connectorsOf } from './connectors'
import { opsDemo } from './demo'
import { receiptKeeper } from './sms/receipts'

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
    engine.registerFunction('ops.connection', connection(connectors))
    return {}
  },
  stop: async ({ engine, configuration }) => {
    const { sms, voice } = connectorsOf(engine, configuration)
    await Promise.all([sms?.close(), voice?.close()])
  },
  demo: opsDemo,
}
