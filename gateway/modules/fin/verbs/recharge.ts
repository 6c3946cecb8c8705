import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { recharge } from '../acts/recharge'

export const verb: ModuleVerb = oneByOne(recharge)
