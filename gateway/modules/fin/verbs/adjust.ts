import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { adjust } from '../acts/adjust'

export const verb: ModuleVerb = oneByOne(adjust)
