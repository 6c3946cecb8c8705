export {
  addDays,
  dayOf,
  daysBetween,
  instantAt,
  minuteAt,
  mondayOf,
  nextWorkingDay,
  startOfDay,
  type Day,
} from '../../../platform/calendar'
