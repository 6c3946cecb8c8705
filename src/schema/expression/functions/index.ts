/** The listed functions: the only ones an expression can call. Each is documented here and its examples are unit tests. */
import type { FunctionSpec, FunctionTable } from '../call'
import { DATE_FUNCTIONS } from './dates'
import { VALUE_FUNCTIONS } from './environment'
import { LIST_FUNCTIONS } from './lists'
import { MONEY_FUNCTIONS } from './money'
import { NUMBER_FUNCTIONS } from './numbers'
import { TEXT_FUNCTIONS } from './texts'

const ALL: readonly FunctionSpec[] = [
  ...LIST_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...MONEY_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...VALUE_FUNCTIONS,
]

export const FUNCTIONS: FunctionTable = new Map(ALL.map((spec) => [spec.name, spec]))
