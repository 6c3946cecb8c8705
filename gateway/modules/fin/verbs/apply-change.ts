import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { applyChange } from '../acts/changes'

export const verb: ModuleVerb = oneByOne(applyChange)
