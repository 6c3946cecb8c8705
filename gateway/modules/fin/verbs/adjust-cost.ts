import type { ModuleVerb } from '../../module'
import { answering } from '../acts/documents'
import { adjustCost } from '../checks/proofread'

export const verb: ModuleVerb = answering(adjustCost)
