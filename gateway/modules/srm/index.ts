/** Supplier relations: what its documents do not say, the weekly rating. */
import type { GatewayModule } from '../module'
import { demo } from './demo'
import { rateAll, ratingReport } from './jobs/level/job'
import { planRate } from './purchase/orders'
import { rewriteFault, rewriteLogs, rewriteRules } from './tvs/services'
import { suffixReport, testSuffix } from './moves/names'
import { businessLookup } from './moves/business'
import { supplierTransfers } from './moves/supplierTransfers'
import { accountTransferItems, accountTransfers, nextName } from './moves/services'
import { verifyStock } from './stock/verify'

export { levelOf, termsPart, type LevelParts } from './level'

/** Supplier relations in the gateway. */
export const srm: GatewayModule = {
  services: ({ engine }) => {
    engine.registerDerivation('srm.planRate', planRate)
    engine.registerFunction('srm.rewriteFault', rewriteFault)
    engine.registerFunction('srm.nextName', nextName)
    engine.registerFunction('srm.businessOf', businessLookup)
    return {
      'srm.accountTransfer': accountTransfers,
      'srm.accountTransferItem': accountTransferItems,
      'srm.supplierTransfer': supplierTransfers,
      'srm.tvsRewriteRule': rewriteRules,
      'srm.tvsRewriteLog': rewriteLogs,
    }
  },
  demo,
  verify: verifyStock,
  rules: ({ database }) => ({
    'srm.level': { effect: async (rule) => ratingReport(await rateAll(database, rule)) },
    'srm.suffix': {
      effect: (rule) => suffixReport(database, rule),
      test: ({ name }, { now }) => testSuffix(database, name, now),
    },
  }),
}
