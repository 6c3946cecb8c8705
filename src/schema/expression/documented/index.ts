/** What people read of the listed functions, by name. Apart from the functions, so that the portal does not carry it. */
import { DATE_DOCUMENTATION } from './dates'
import type { DocumentedFunctions } from './documented'
import { VALUE_DOCUMENTATION } from './environment'
import { LIST_DOCUMENTATION } from './lists'
import { MONEY_DOCUMENTATION } from './money'
import { NUMBER_DOCUMENTATION } from './numbers'
import { TEXT_DOCUMENTATION } from './texts'

export const DOCUMENTED: DocumentedFunctions = {
  ...LIST_DOCUMENTATION,
  ...TEXT_DOCUMENTATION,
  ...NUMBER_DOCUMENTATION,
  ...MONEY_DOCUMENTATION,
  ...DATE_DOCUMENTATION,
  ...VALUE_DOCUMENTATION,
}
