export { compileLoaded } from './compileLoaded'
