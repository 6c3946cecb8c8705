export { changeMac as verb } from '../stock/post'
