import { capitalsOf } from '../../formats/capitals'
import { addWorkingDays, isWorkingDay, workingDaysBetween } from '../../formats/workingDays'

/** What functions need that few pages call. It imports nothing of the portal, so that it stays a chunk of its own. */
export const SELDOM = { capitalsOf, addWorkingDays, isWorkingDay, workingDaysBetween }
