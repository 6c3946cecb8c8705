import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { undoAllocation } from '../acts/reverse'

export const verb: ModuleVerb = oneByOne(undoAllocation)
