export { churnReport, productNames } from './churn/job'
export { levelReport } from './level/job'
