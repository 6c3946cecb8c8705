export { logSale as verb } from '../sale/orders'
