export {
  addDays,
  dayOf,
  daysBetween,
  instantAt,
  mondayOf,
  nextWorkingDay,
  startOfDay,
  type Day,
} from '../../../platform/calendar'
