export { expectGoods as verb } from '../purchase/orders'
