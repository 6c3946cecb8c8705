/** Quotation: special prices and supplier quotations as approvals decide them, rates that follow. */
import type { GatewayModule } from '../module'
import { qmDemo } from './demo'
import { groupCost, quoteGroups } from './groups'
import { intakeCheck } from './intake'
import { priceLimits } from './limits'
import { mailTemplateService } from './mailTemplate'
import { messageHook } from './returned'
import { agentRates, customerRates, supplierRates } from './rates'
import { routeStep } from './routes'

/** Quotation in the gateway. */
export const qm: GatewayModule = {
  steps: [routeStep],
  services: ({ engine, configuration: { companyTimeZone: timeZone } }) => {
    engine.registerDerivation('qm.groupCost', groupCost)
    engine.registerDerivation('qm.intakeCheck', intakeCheck)
    return {
      'qm.customerRate': customerRates(timeZone),
      'qm.supplierRate': supplierRates(timeZone),
      'qm.agentRate': agentRates,
      'qm.smsPriceLimit': priceLimits,
      'qm.quoteGroup': quoteGroups,
      'qm.quoteMailTemplate': mailTemplateService,
    }
  },
  hooks: () => ({ 'mail.message': messageHook }),
  demo: qmDemo,
}
