import type { ModuleVerb } from '../../module'
import { oneByOne } from '../acts/documents'
import { release } from '../acts/holds'

export const verb: ModuleVerb = oneByOne((fin, given) => release(fin, given.needed('instanceId')))
