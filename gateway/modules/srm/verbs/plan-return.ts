export { planReturn as verb } from '../sale/orders'
