/** Quotation: special prices and supplier quotations as approvals decide them, rates that follow. */
import type { GatewayModule } from '../module'
import { qmDemo } from './demo'
import { groupCost, quoteGroups } from './groups'
import { intakeCheck, offerIntake } from './intake'
import { priceLimits } from './limits'
import { mailTemplateService } from './mailTemplate'
import { moveRates } from './moveRates'
import { agentRates, customerRates, supplierRates } from './rates'
import { routeStep } from './routes'
import { applySpecial, approveSpecial, endSpecial } from './special'
import { acceptSupplierRates, applySupplierQuote, endSupplierQuote } from './supplierQuote'

/** Quotation in the gateway. */
export const qm: GatewayModule = {
  steps: [routeStep],
  services: ({ engine, configuration: { companyTimeZone: timeZone } }) => {
    engine.registerVerb('qm.applySpecial', applySpecial)
    engine.registerVerb('qm.approveSpecial', approveSpecial)
    engine.registerVerb('qm.endSpecial', endSpecial)
    engine.registerVerb('qm.applySupplierQuote', applySupplierQuote)
    engine.registerVerb('qm.acceptSupplierRates', acceptSupplierRates)
    engine.registerVerb('qm.endSupplierQuote', endSupplierQuote)
    engine.registerVerb('qm.moveRates', moveRates)
    engine.registerVerb('qm.offerIntake', offerIntake)
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
  demo: qmDemo,
}
