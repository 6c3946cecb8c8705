export { publishRewrite as verb } from '../tvs/services'
