/** Supplier relations: what its documents do not say, the weekly rating. */
import type { GatewayModule } from '../module'
import { demo } from './demo'
import { rateAll, ratingReport } from './jobs/level/job'
import type { Verb } from '../../entities'
import { bodyReplace } from './bodyReplace'
import { logPurchase } from './purchase/log'
import { expectGoods, holdPlan, makeOrders, planRate } from './purchase/orders'
import { publishRewrite, rewriteFault, rewriteLogs, rewriteMessage, rewriteRules } from './tvs/services'
import { suffixReport, testSuffix } from './moves/names'
import { businessLookup } from './moves/business'
import { beginSupplierTransfer, finishSupplierTransfer, supplierTransfers } from './moves/supplierTransfers'
import { accountTransferItems, accountTransfers, nextName } from './moves/services'
import { logSale, planDelivery, planReturn, reserveStock } from './sale/orders'
import { changeMac, postStock, reverseStock } from './stock/post'
import { verifyStock } from './stock/verify'

export { levelOf, termsPart, type LevelParts } from './level'

/** Supplier relations in the gateway. */
export const srm: GatewayModule = {
  services: ({ engine }) => {
    engine.registerVerb('srm.evenly', evenly)
    engine.registerVerb('srm.bodyReplace', bodyReplace)
    engine.registerVerb('srm.postStock', postStock)
    engine.registerVerb('srm.reverseStock', reverseStock)
    engine.registerVerb('srm.changeMac', changeMac)
    engine.registerVerb('srm.makeOrders', makeOrders)
    engine.registerVerb('srm.holdPlan', holdPlan)
    engine.registerVerb('srm.expectGoods', expectGoods)
    engine.registerVerb('srm.logPurchase', logPurchase(engine))
    engine.registerDerivation('srm.planRate', planRate)
    engine.registerVerb('srm.reserveStock', reserveStock)
    engine.registerVerb('srm.planDelivery', planDelivery)
    engine.registerVerb('srm.planReturn', planReturn)
    engine.registerVerb('srm.logSale', logSale)
    engine.registerVerb('srm.rewriteMessage', rewriteMessage)
    engine.registerVerb('srm.publishRewrite', publishRewrite)
    engine.registerVerb('srm.beginSupplierTransfer', beginSupplierTransfer)
    engine.registerVerb('srm.finishSupplierTransfer', finishSupplierTransfer)
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

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/**
 * Gives records to some people in turn: `field` is the reference that is set, `among` their ids; `order` the ids of all records, so
 * that a call that is done in parts stays even.
 */
export const evenly: Verb = (_, runs) => {
  for (const [index, { subject, with: values }] of runs.entries()) {
    const [among, order] = [texts(values.among), texts(values.order)]
    const place = order.indexOf(String(subject.record.id))
    if (among.length > 0) subject.record[String(values.field)] = among[(place < 0 ? index : place) % among.length]
  }
  return Promise.resolve()
}
