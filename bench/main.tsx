import '@ant-design/v5-patch-for-react-19'
import type { BenchPage } from './hooks'

/** One lazy chunk a page, so that a page is measured with its own JavaScript only. */
const PAGES: Readonly<Record<string, () => Promise<{ page: BenchPage }>>> = {
  '/bench/w1': () => import('./pages/w1'),
  '/bench/w2': () => import('./pages/w2'),
  '/bench/w3': () => import('./pages/w3'),
  '/bench/task': () => import('./pages/task'),
  '/bench/answer': () => import('./pages/answer'),
  '/bench/antd/w1': () => import('./pages/antdW1'),
  '/bench/antd/w2': () => import('./pages/antdW2'),
  '/bench/antd/w3': () => import('./pages/antdW3'),
  '/bench/antd/task': () => import('./pages/antdTask'),
}

const start = async (): Promise<void> => {
  const load = PAGES[location.pathname]
  const root = document.getElementById('root')
  if (!root) throw new Error('bench/index.html has no element with the id "root".')
  if (!load) {
    root.textContent = `No bench page at ${location.pathname}. There are: ${Object.keys(PAGES).join(', ')}`
    return
  }
  const { page } = await load()
  Object.assign(window.__bench, await page(root))
}

window.__bench = { ready: Promise.resolve() }
window.__bench.ready = start()
