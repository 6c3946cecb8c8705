export { EarlierNotice } from './EarlierNotice'
export { loadCompiled, type CompiledPage } from './loadCompiled'
export { BundleView, PageHost } from './PageHost'
export { whenQuiet } from './whenQuiet'
