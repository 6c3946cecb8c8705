import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { recompute } from '../acts/creditRecord'

export const verb: ModuleVerb = oneByOne(recompute)
