import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { undoPaymentRefund } from '../acts/bankReceipts'

export const verb: ModuleVerb = oneByOne(undoPaymentRefund)
