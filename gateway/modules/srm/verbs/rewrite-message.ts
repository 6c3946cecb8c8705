export { rewriteMessage as verb } from '../tvs/services'
