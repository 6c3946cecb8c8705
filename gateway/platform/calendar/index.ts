/** Days in the company's time zone. */
export {
  addDays,
  dayAt as dayOf,
  daysBetween,
  instantAt,
  minuteAt,
  mondayOf,
  nextWorkingDay,
  startOfDay,
  type Day,
} from '../../../src/schema/formats/days'
