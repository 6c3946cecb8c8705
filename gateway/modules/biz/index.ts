/** Traffic: what messages are rated by, and the records of them. */
import type { GatewayModule } from '../module'
import { applicationService } from './applications'
import { channelService } from './channels'
import { bizDemo } from './demo'
import { smsRecordService } from './smsRecords'
import { wordFaults } from './words/check'

export { rateKeyOf } from './rating/rateKey'
export { findHits, type Word } from './words/match'

/** Traffic in the gateway. */
export const biz: GatewayModule = {
  services: () => ({ 'biz.smsRecord': smsRecordService, 'biz.channel': channelService, 'biz.application': applicationService }),
  demo: bizDemo,
}
