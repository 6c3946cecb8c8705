export { reverseStock as verb } from '../stock/post'
