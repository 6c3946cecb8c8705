/** Quotation: special prices and supplier quotations as approvals decide them, rates that follow. */
import type { EntityService } from '../../entities'
import type { GatewayModule } from '../module'
import { rateKeyOf } from '../biz'
import { qmDemo } from './demo'
import { mailTemplateService } from './mailTemplate'
import { moveRates } from './moveRates'
import { applySpecial, approveSpecial, endSpecial } from './special'
import { acceptSupplierRates, applySupplierQuote, endSupplierQuote } from './supplierQuote'

/** A rate is found by the key of its destination. */
const rateService: EntityService = {
  beforeSave({ record }) {
    record.rateKey ??= rateKeyOf(String(record.product), record)
  },
}

/** Quotation in the gateway. */
export const qm: GatewayModule = {
  services: ({ engine }) => {
    engine.registerVerb('qm.applySpecial', applySpecial)
    engine.registerVerb('qm.approveSpecial', approveSpecial)
    engine.registerVerb('qm.endSpecial', endSpecial)
    engine.registerVerb('qm.applySupplierQuote', applySupplierQuote)
    engine.registerVerb('qm.acceptSupplierRates', acceptSupplierRates)
    engine.registerVerb('qm.endSupplierQuote', endSupplierQuote)
    engine.registerVerb('qm.moveRates', moveRates)
    return { 'qm.rate': rateService, 'qm.quoteMailTemplate': mailTemplateService }
  },
  demo: qmDemo,
}
