/** Finance: the ledger, credit, bills, and what approvals do with them. */
import type { GatewayModule } from '../module'
import { finDemo } from './demo'
import { ledgerGuards } from './ledger/guards'
import { verifyLedger } from './ledger/verify'
import { adjust, gift, writeOff } from './verbs/adjust'
import { applyChange, changeCycle, changePayMode, checkPlan, closeAccount, defer, grant, recompute } from './verbs/credit'
import { oneByOne } from './verbs/documents'
import { hedge } from './verbs/hedge'
import { hold, release } from './verbs/holds'
import { payment, refund } from './verbs/pay'
import { recharge } from './verbs/recharge'
import { reverseDocument, undoAllocation } from './verbs/reverse'

export { postCost, postUsage, type UsageBatch } from './ledger/usage'

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
  'fin.reverse': reverseDocument,
  'fin.unallocate': undoAllocation,
  'fin.grant': grant,
  'fin.defer': defer,
  'fin.changePayMode': changePayMode,
  'fin.changeCycle': changeCycle,
  'fin.applyChange': applyChange,
  'fin.checkPlan': checkPlan,
  'fin.closeAccount': closeAccount,
  'fin.recompute': recompute,
} as const satisfies Readonly<Record<string, Parameters<typeof oneByOne>[1]>>

/** Finance in the gateway. */
export const fin: GatewayModule = {
  steps: ledgerGuards,
  services: ({ engine }) => {
    for (const [name, work] of Object.entries(VERBS)) engine.registerVerb(name, oneByOne(name, work))
    return {}
  },
  verify: verifyLedger,
  demo: finDemo,
}
