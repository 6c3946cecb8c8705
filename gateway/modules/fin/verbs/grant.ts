import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { grant } from '../acts/grants'

export const verb: ModuleVerb = oneByOne(grant)
