import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { voidBill } from '../bills/issue'

export const verb: ModuleVerb = oneByOne(voidBill)
