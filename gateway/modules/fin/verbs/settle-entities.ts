import type { ModuleVerb } from '../../module'
import { answering } from '../acts/documents'
import { settleEntities } from '../settle/entities'

export const verb: ModuleVerb = answering(settleEntities)
