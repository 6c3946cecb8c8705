export { makeOrders as verb } from '../purchase/orders'
