/** Finance: the ledger, credit, bills, and what approvals do with them. */
import type { EntityEngine, EntityService } from '../../entities'
import type { GatewayModule } from '../module'
import { finSettings } from './configuration'
import { receivablesAddUp } from './bills/earlier'
import { billContacts } from './bills/contacts'
import { billIssued } from './bills/issue'
import { weekdaysOfCycles } from './bills/steps'
import { ratedRecords } from './charges/beside'
import { chargedDays, purgedCharges } from './charges/purged'
import { serviceDays } from './charges/steps'
import { verifyPosted } from './charges/verify'
import { finDemo } from './demo'
import { registerKingdee } from './kingdee'
import { kingdeePresets } from './kingdee/presets'
import { suspendedBefore, suspendedDays } from './ledger/chargeable'
import { ledgerGuards } from './ledger/guards'
import { stockBooks } from './ledger/stock'
import { verifyLedger } from './ledger/verify'
import { currencyHooks, rateHooks } from './settings/rates'
import { proofAccount, vosCompared } from './checks/vos'
import { bankReference } from './references'
import { bankLineService } from './statement/lines'
import { zoneHooks } from './zones'

export { chargedSides, openCharges, openRecords, productSql, type ChargesAsked, type OpenCharge } from './charges/open'
export { chargesWait, postCharges, postChargesWithin, type PostedCharges } from './charges/post'
export { postFeeCosts, postFees, type AssetFee } from './ledger/fees'
export { typedTraffic, type DayTraffic } from './charges/beside'
export { staffOfRoles } from './people'
export { postCost, postCostAdjustments, postUsage, postUsageAdjustments, type LateUsage, type UsageBatch } from './ledger/usage'
export { accountDay, accountDays, zoneSql } from './zones'

const bills = (engine: EntityEngine): EntityService<'fin.bill'> => ({
  computeFields: (records, { db, context }) => billContacts(engine, records, { db, context }),
  afterEffect: async ({ transition, record, tx, context, now, entities }) => {
    if (transition.id === 'issue') await billIssued({ tx, context, now, entities }, record)
  },
})

/** Finance in the gateway. */
export const fin: GatewayModule = {
  settings: finSettings,
  steps: [...ledgerGuards, kingdeePresets, serviceDays, purgedCharges, receivablesAddUp, weekdaysOfCycles, suspendedBefore],
  services: ({ engine, configuration }) => {
    engine.hook('fin.customerAccount', suspendedDays)
    engine.keepDays(chargedDays)
    engine.registerFunction('fin.ratedRecords', ratedRecords)
    engine.registerFunction('fin.proofAccount', proofAccount)
    engine.registerFunction('fin.bankReference', bankReference)
    engine.registerFunction('fin.vosCompared', vosCompared)
    return {
      ...registerKingdee({ engine, configuration }),
      'fin.bill': bills(engine),
      'fin.bankLine': bankLineService,
    }
  },
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
