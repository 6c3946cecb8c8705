import type { Plugin } from 'vite'

const POLYFILL = 'resize-observer-polyfill'

/**
 * Leaves out what every browser of the build's target has, and what nothing on the page uses:
 *
 * - antd's widgets observe sizes through a polyfill; the browser's own ResizeObserver is older than the target.
 * - antd's ConfigProvider takes one context from rc-field-form, whose package does not say that its modules are free of side
 *   effects, so that the whole form engine (with its validator) came along with every page.
 */
export const slimVendorsPlugin = (): Plugin => ({
  name: 'slim-vendors',
  enforce: 'pre',
  apply: 'build',
  async resolveId(source, importer, options) {
    if (source === POLYFILL) return `\0${POLYFILL}`
    if (source !== 'rc-field-form') return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    return found && { ...found, moduleSideEffects: false }
  },
  load: (id) => (id === `\0${POLYFILL}` ? 'export default globalThis.ResizeObserver' : null),
})
