import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { defer } from '../acts/deferral'

export const verb: ModuleVerb = oneByOne(defer)
