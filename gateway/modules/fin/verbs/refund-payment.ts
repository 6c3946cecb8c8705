import type { ModuleVerb } from '../../module'
import { answering } from '../acts/documents'
import { refundPayment } from '../acts/bankReceipts'

export const verb: ModuleVerb = answering(refundPayment)
