export { compileLoaded, COMPANY_TIME_ZONE } from './compileLoaded'
