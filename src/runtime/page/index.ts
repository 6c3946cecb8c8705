export { compileLoaded } from './compileLoaded'
export { PageHost } from './PageHost'
