export { compileLoaded } from './compileLoaded'
export { BundleView, PageHost } from './PageHost'
