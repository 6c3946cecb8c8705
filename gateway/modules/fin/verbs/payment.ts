import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { payment } from '../acts/pay'

export const verb: ModuleVerb = oneByOne(payment)
