import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { checkClosing } from '../acts/closing'

export const verb: ModuleVerb = oneByOne(checkClosing)
