import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { changePayMode } from '../acts/changes'

export const verb: ModuleVerb = oneByOne(changePayMode)
