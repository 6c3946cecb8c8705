import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { hedge } from '../acts/hedge'

export const verb: ModuleVerb = oneByOne(hedge)
