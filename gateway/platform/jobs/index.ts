export { registerClockRoute, registerJobRoutes } from './http'
export { inTurn } from './inTurn'
export { maskedReport } from './maskedReport'
export { momentOf } from './moment'
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
