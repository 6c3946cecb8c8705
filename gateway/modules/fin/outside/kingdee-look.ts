import type { ModuleOutsideVerb } from '../../module'
import { lookAtDocument } from '../kingdee/push'
import { kingdeeOf } from '../kingdee/connection'

export const outside: ModuleOutsideVerb = (order) => lookAtDocument(kingdeeOf(order))(order)
