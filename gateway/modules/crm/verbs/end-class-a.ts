export { endClassA as verb } from '../services/classAApproval'
