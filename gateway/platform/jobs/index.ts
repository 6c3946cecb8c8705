export { registerClockRoute, registerJobRoutes } from './http'
export { lastDue, nextDue } from './schedule'
export { Scheduler, type SchedulerOptions } from './scheduler'
export { MOST_ROWS, type FrequentJob, type JobDefinition, type JobPlace, type JobReport, type TimedJob } from './types'
