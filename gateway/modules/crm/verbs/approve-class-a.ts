export { approveClassA as verb } from '../services/classAApproval'
