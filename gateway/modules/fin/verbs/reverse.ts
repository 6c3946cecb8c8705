import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { reverseDocument } from '../acts/reverse'

export const verb: ModuleVerb = oneByOne(reverseDocument)
