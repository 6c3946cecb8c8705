import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { bookLine } from '../statement/lines'

export const verb: ModuleVerb = oneByOne(bookLine)
