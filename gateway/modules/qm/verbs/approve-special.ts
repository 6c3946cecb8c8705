export { approveSpecial as verb } from '../special'
