export { planDelivery as verb } from '../sale/orders'
