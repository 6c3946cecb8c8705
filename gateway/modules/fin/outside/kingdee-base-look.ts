import type { ModuleOutsideVerb } from '../../module'
import { lookAtBase } from '../kingdee/base'
import { kingdeeOf } from '../kingdee/connection'

export const outside: ModuleOutsideVerb = (order) => lookAtBase(kingdeeOf(order))(order)
