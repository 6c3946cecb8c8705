export { endSpecial as verb } from '../special'
