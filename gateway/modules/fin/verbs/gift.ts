import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { gift } from '../acts/adjust'

export const verb: ModuleVerb = oneByOne(gift)
