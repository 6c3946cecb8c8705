export { mapBase as verb } from '../kingdee/base'
