import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { writeOff } from '../acts/adjust'

export const verb: ModuleVerb = oneByOne(writeOff)
