export { churnReport } from './churn/job'
export { levelReport } from './level/job'
