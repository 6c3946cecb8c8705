export { applySpecial as verb } from '../special'
