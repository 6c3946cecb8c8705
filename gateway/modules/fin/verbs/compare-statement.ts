import type { ModuleVerb } from '../../module'
import { answering } from '../acts/documents'
import { compareStatement } from '../checks/proofread'

export const verb: ModuleVerb = answering(compareStatement)
