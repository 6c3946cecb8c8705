import type { ModuleOutsideVerb } from '../../module'
import { pushDocument } from '../kingdee/push'
import { kingdeeOf } from '../kingdee/connection'

export const outside: ModuleOutsideVerb = (order) => pushDocument(kingdeeOf(order))(order)
