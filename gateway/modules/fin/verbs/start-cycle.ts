import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { startCycle } from '../acts/cycles'

export const verb: ModuleVerb = oneByOne(startCycle)
