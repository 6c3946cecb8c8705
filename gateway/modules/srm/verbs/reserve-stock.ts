export { reserveStock as verb } from '../sale/orders'
