/** Traffic: what messages are rated by, and the records of them. */
import type { GatewayModule } from '../module'
import { applicationService } from './applications'
import { channelService, marketService } from './channels'
import { bizDemo } from './demo'
import { lockGuards } from './lock/guards'
import { mixService } from './mix'
import { numberService, rentingAccounts } from './numbers/service'
import { feesBegin } from './numbers/steps'
import { verifyNumbers } from './numbers/verify'
import { smsAttemptService } from './records/attempts'
import { callRecordService } from './records/calls'
import { mailRecordService } from './records/mail'
import { otpRecordService } from './records/otp'
import { apiQueueService } from './records/queue'
import { chargedTries } from './records/steps'
import { smsMoService } from './records/replies'
import { ofCallService } from './records/voice'
import { waRecordService, waSessionService } from './records/whatsapp'
import { codesOfSends } from './usage/codes'
import { verifyRating } from './rating/verify'
import { verifyCharges } from './usage/verify'
import { smsRecordService } from './smsRecords'
import { voiceServices } from './voice/gateways'
import { wordFaults } from './words/check'

export { fillPromoterCommissions } from './demo/commissions'
export { rateKeyOf } from './rating/rateKey'

/** Traffic in the gateway. */
export const biz: GatewayModule = {
  steps: [...lockGuards, chargedTries, feesBegin, codesOfSends],
  services: ({ engine, configuration: { companyTimeZone } }) => {
    engine.registerFunction('biz.wordFault', wordFaults)
    return {
      'biz.smsRecord': smsRecordService,
      'biz.smsAttempt': smsAttemptService,
      'biz.smsMo': smsMoService,
      'biz.callRecord': callRecordService,
      'biz.ofCall': ofCallService,
      'biz.waRecord': waRecordService,
      'biz.waSession': waSessionService,
      'biz.mailRecord': mailRecordService,
      'biz.otpRecord': otpRecordService,
      'biz.apiQueue': apiQueueService,
      'biz.channel': channelService(companyTimeZone),
      'biz.application': applicationService,
      'biz.marketChannel': marketService(companyTimeZone),
      'biz.mixSolution': mixService(companyTimeZone),
      'biz.numberAsset': numberService,
      ...voiceServices,
    }
  },
  hooks: () => ({ 'fin.customerAccount': rentingAccounts }),
  verify: async (database, options) => [
    ...(await verifyNumbers(database, options)),
    ...(await verifyCharges(database)),
    ...(await verifyRating(database)),
  ],
  demo: bizDemo,
}
