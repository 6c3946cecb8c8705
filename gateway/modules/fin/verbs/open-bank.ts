import type { ModuleVerb } from '../../module'
import { answering } from '../acts/documents'
import { openBank } from '../acts/openings'

export const verb: ModuleVerb = answering(openBank)
