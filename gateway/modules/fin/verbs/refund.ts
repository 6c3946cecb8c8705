import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { refund } from '../acts/pay'

export const verb: ModuleVerb = oneByOne(refund)
