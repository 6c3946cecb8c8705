import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { checkPlan } from '../acts/deferral'

export const verb: ModuleVerb = oneByOne(checkPlan)
