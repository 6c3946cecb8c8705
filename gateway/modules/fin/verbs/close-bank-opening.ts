import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { closeBankOpening } from '../acts/openings'

export const verb: ModuleVerb = oneByOne(closeBankOpening)
