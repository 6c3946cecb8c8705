export { applyClassA as verb } from '../services/classAApproval'
