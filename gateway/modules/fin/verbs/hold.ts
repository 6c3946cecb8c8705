import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { hold } from '../acts/holds'

export const verb: ModuleVerb = oneByOne(hold)
