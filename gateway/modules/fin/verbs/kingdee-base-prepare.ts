export { prepareBase as verb } from '../kingdee/base'
