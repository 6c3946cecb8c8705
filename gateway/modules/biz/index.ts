/** Traffic: what messages are rated by, and the records of them. */
import type { GatewayModule } from '../module'
import { applicationService } from './applications'
import { channelService, marketService, numberService } from './channels'
import { bizDemo } from './demo'
import { mixService } from './mix'
import { smsRecordService } from './smsRecords'
import { wordFaults } from './words/check'

export { rateKeyOf } from './rating/rateKey'
export { findHits, type Word } from './words/match'

/** Traffic in the gateway. */
export const biz: GatewayModule = {
  services: ({ engine, configuration: { companyTimeZone } }) => {
    engine.registerFunction('biz.wordFault', wordFaults)
    return {
      'biz.smsRecord': smsRecordService,
      'biz.channel': channelService(companyTimeZone),
      'biz.application': applicationService,
      'biz.marketChannel': marketService(companyTimeZone),
      'biz.mixSolution': mixService(companyTimeZone),
      'biz.numberAsset': numberService(companyTimeZone),
    }
  },
  demo: bizDemo,
}
