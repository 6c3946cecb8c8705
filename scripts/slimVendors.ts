import type { Plugin } from 'vite'

const POLYFILL = 'resize-observer-polyfill'

/** Modules of libraries that nothing on the page reaches (the end of the path), and what stands in for each. */
const UNREACHED: Readonly<Record<string, string>> = {
  '/axios/lib/adapters/fetch.js': 'export const getFetch = () => false',
  '/axios/lib/helpers/HttpStatusCode.js': 'export default {}',
  '/@formily/shared/esm/case.js':
    'export const lowerCase = (text) => text.toLowerCase(); export const pascalCase = (text) => text.replace(/(?:^|-)(\\w)/g, (_, letter) => letter.toUpperCase())',
  '/@formily/json-schema/esm/polyfills/index.js':
    'export const registerVoidComponents = () => {}; export const registerTypeDefaultComponents = () => {}',
}

/**
 * Leaves out what every browser of the build's target has, and what nothing on the page uses:
 *
 * - antd's widgets observe sizes through a polyfill; the browser's own ResizeObserver is older than the target.
 * - antd's ConfigProvider takes one context from rc-field-form, whose package does not say that its modules are free of side
 *   effects, so that the whole form engine (with its validator) came along with every page.
 * - axios sends through `fetch` only where there is no XMLHttpRequest (a call that asks for it by name is refused), and its names
 *   of the HTTP statuses are for programs that ask for them.
 * - Formily writes names with capitals in two places, with a library for every way of writing them.
 * - Formily's validator speaks six languages; the portal two.
 * - Formily reads its schemas of version 1 only when a program turns that on.
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
  transform(code, id) {
    if (!id.endsWith('/@formily/validator/esm/locale.js')) return null
    return { code: code.replace(/\n {4}(?:'en-US'|'zh-CN'|'zh-TW'|ja): \{[\s\S]*?\n {4}\},?/g, ''), map: null }
  },
  load(id) {
    if (id === `\0${POLYFILL}`) return 'export default globalThis.ResizeObserver'
    const unreached = Object.keys(UNREACHED).find((path) => id.endsWith(`/node_modules${path}`))
    return unreached === undefined ? null : (UNREACHED[unreached] ?? null)
  },
})
