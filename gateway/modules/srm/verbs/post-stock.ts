export { postStock as verb } from '../stock/post'
