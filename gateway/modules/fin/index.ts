/** Finance: the ledger, credit, bills, and what approvals do with them. */
import type { EntityService } from '../../entities'
import type { GatewayModule } from '../module'
import { finSettings } from './configuration'
import { receivablesAddUp } from './bills/earlier'
import { billIssued, voidBill } from './bills/issue'
import { weekdaysOfCycles } from './bills/steps'
import { ratedRecords } from './charges/beside'
import { chargedDays, purgedCharges } from './charges/purged'
import { serviceDays } from './charges/steps'
import { verifyPosted } from './charges/verify'
import { finDemo } from './demo'
import { registerKingdee, serveKingdee } from './kingdee'
import { kingdeePresets } from './kingdee/presets'
import { suspendedBefore, suspendedDays } from './ledger/chargeable'
import { ledgerGuards } from './ledger/guards'
import { stockBooks } from './ledger/stock'
import { verifyLedger } from './ledger/verify'
import { adjust, gift, writeOff } from './verbs/adjust'
import { allocate } from './verbs/allocate'
import { postUnclaimed, refundPayment, undoPaymentRefund } from './verbs/bankReceipts'
import { currencyHooks, rateHooks } from './settings/rates'
import {
  applyChange,
  changeCycle,
  changePayMode,
  checkClosing,
  checkPlan,
  closeAccount,
  defer,
  grant,
  recompute,
  startCycle,
} from './verbs/credit'
import { adjustCost, compareStatement } from './checks/proofread'
import { proofAccount, vosCompared } from './checks/vos'
import { settleEntities } from './settle/entities'
import { answering, oneByOne, together } from './verbs/documents'
import { hedge } from './verbs/hedge'
import { hold, release } from './verbs/holds'
import { moveBalance } from './verbs/move'
import { closeBankOpening, openBank } from './verbs/openings'
import { payment, refund } from './verbs/pay'
import { checkPeriod } from './verbs/periods'
import { recharge } from './verbs/recharge'
import { reverseDocument, undoAllocation } from './verbs/reverse'
import { bankReference } from './references'
import { tvsPayout } from './verbs/tvs'
import { postUsageLines } from './verbs/usage'
import { zoneHooks } from './zones'

export { chargedSides, openCharges, openRecords, productSql, type ChargesAsked, type OpenCharge } from './charges/open'
export { chargesWait, postCharges, postChargesWithin, type PostedCharges } from './charges/post'
export { postFeeCosts, postFees, type AssetFee } from './ledger/fees'
export { typedTraffic, type DayTraffic } from './charges/beside'
export { staffOfRoles } from './people'
export { postCost, postCostAdjustments, postUsage, postUsageAdjustments, type LateUsage, type UsageBatch } from './ledger/usage'
export { accountDay, accountDays, zoneSql } from './zones'

/** What effects do, by name; docs/finance.md says what each takes. */
const VERBS = {
  'fin.recharge': recharge,
  'fin.payment': payment,
  'fin.hedge': hedge,
  'fin.refund': refund,
  'fin.hold': hold,
  'fin.release': (fin, given) => release(fin, given.needed('instanceId')),
  'fin.adjust': adjust,
  'fin.writeOff': writeOff,
  'fin.gift': gift,
  'fin.moveBalance': moveBalance,
  'fin.reverse': reverseDocument,
  'fin.allocate': allocate,
  'fin.unallocate': undoAllocation,
  'fin.grant': grant,
  'fin.defer': defer,
  'fin.changePayMode': changePayMode,
  'fin.changeCycle': changeCycle,
  'fin.applyChange': applyChange,
  'fin.checkPlan': checkPlan,
  'fin.closeAccount': closeAccount,
  'fin.checkClosing': checkClosing,
  'fin.recompute': recompute,
  'fin.startCycle': startCycle,
  'fin.voidBill': voidBill,
  'fin.checkPeriod': checkPeriod,
  'fin.tvsPayout': tvsPayout,
  'fin.closeBankOpening': closeBankOpening,
  'fin.undoPaymentRefund': undoPaymentRefund,
} as const satisfies Readonly<Record<string, Parameters<typeof oneByOne>[1]>>

const bills: EntityService<'fin.bill'> = {
  afterEffect: async ({ transition, record, tx, context, now, entities }) => {
    if (transition.id === 'issue') await billIssued({ tx, context, now, entities }, record)
  },
}

/** Finance in the gateway. */
export const fin: GatewayModule = {
  settings: finSettings,
  steps: [...ledgerGuards, kingdeePresets, serviceDays, purgedCharges, receivablesAddUp, weekdaysOfCycles, suspendedBefore],
  services: ({ engine, configuration }) => {
    engine.hook('fin.customerAccount', suspendedDays)
    for (const [name, work] of Object.entries(VERBS)) engine.registerVerb(name, oneByOne(name, work))
    engine.registerVerb('fin.settleEntities', answering('fin.settleEntities', settleEntities))
    engine.registerVerb('fin.compareStatement', answering('fin.compareStatement', compareStatement))
    engine.registerVerb('fin.adjustCost', answering('fin.adjustCost', adjustCost))
    engine.registerVerb('fin.openBank', answering('fin.openBank', openBank))
    engine.registerVerb('fin.postUnclaimed', answering('fin.postUnclaimed', postUnclaimed))
    engine.registerVerb('fin.refundPayment', answering('fin.refundPayment', refundPayment))
    engine.keepDays(chargedDays)
    engine.registerFunction('fin.ratedRecords', ratedRecords)
    engine.registerFunction('fin.proofAccount', proofAccount)
    engine.registerFunction('fin.bankReference', bankReference)
    engine.registerFunction('fin.vosCompared', vosCompared)
    engine.registerVerb('fin.postUsage', together('fin.postUsage', postUsageLines))
    return {
      ...registerKingdee(engine, configuration.of(finSettings)),
      'fin.bill': bills,
    }
  },
  serve: serveKingdee,
  hooks: () => ({
    'sys.currency': currencyHooks,
    'sys.exchangeRate': rateHooks,
    'fin.customerAccount': zoneHooks,
    'srm.supplierAccount': zoneHooks,
    'srm.stockIn': stockBooks('in'),
    'srm.stockOut': stockBooks('out'),
  }),
  verify: async (database, options) => [...(await verifyLedger(database, options)), ...(await verifyPosted(database))],
  demo: finDemo,
}
