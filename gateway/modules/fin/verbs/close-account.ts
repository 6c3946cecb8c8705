import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { closeAccount } from '../acts/closing'

export const verb: ModuleVerb = oneByOne(closeAccount)
