/** Traffic: what messages are rated by, and the records of them. */
import type { GatewayModule } from '../module'
import { bizDemo } from './demo'
import { smsRecordService } from './smsRecords'
import { voiceServices } from './voice/gateways'

export { rateKeyOf } from './rating/rateKey'

/** Traffic in the gateway. */
export const biz: GatewayModule = {
  services: () => ({ 'biz.smsRecord': smsRecordService, ...voiceServices }),
  demo: bizDemo,
}
