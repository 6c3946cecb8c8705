import type { ModuleVerb } from '../../module'
import { answering } from '../acts/documents'
import { postUnclaimed } from '../acts/bankReceipts'

export const verb: ModuleVerb = answering(postUnclaimed)
