export { addDays, dayOf, daysBetween, instantAt, minuteAt, mondayOf, nextWorkingDay, type Day } from '../../../platform/calendar'
