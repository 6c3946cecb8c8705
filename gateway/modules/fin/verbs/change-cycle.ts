import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { changeCycle } from '../acts/cycles'

export const verb: ModuleVerb = oneByOne(changeCycle)
