export { registerClockRoute, registerJobRoutes } from './http'
export { inTurn } from './types'
export { maskedReport } from './http'
export { lastRunAt } from './runs'
export { momentOf } from './schedule'
export { lastDue, nextDue } from './schedule'
export { Scheduler, type SchedulerOptions } from './scheduler'
export {
  MOST_ROWS,
  stageOf,
  type FrequentJob,
  type JobDefinition,
  type JobContext,
  type JobReport,
  type TellProgress,
  type TimedJob,
} from './types'
