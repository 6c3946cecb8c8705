import type { ModuleOutsideVerb } from '../../module'
import { pushBase } from '../kingdee/base'
import { kingdeeOf } from '../kingdee/connection'

export const outside: ModuleOutsideVerb = (order) => pushBase(kingdeeOf(order))(order)
