export { holdPlan as verb } from '../purchase/orders'
