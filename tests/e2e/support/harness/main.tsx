import '@ant-design/v5-patch-for-react-19'
import { App, ConfigProvider, theme } from 'antd'
import { StrictMode, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { RequestError, type Host } from '../../../../src/headless/host'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { PageHost } from '../../../../src/runtime/page'
import { defineWidget, registerWidgets } from '../../../../src/runtime/widget'
import { themeConfig } from '../../../../src/runtime/themeConfig'
import { fakeHost } from '../../../support/fakeHost'
import { BUNDLES } from './documents'
import { createGateway } from './gateway'

declare global {
  interface Window {
    harness: {
      events: string[]
      requests: () => { method: string; path: string; body: unknown }[]
      gateway: ReturnType<typeof createGateway>
      pageMode: 'gateway' | 'local' | 'down'
    }
  }
}

const given = new URLSearchParams(location.search)
const setting = (name: string): string | null => given.get(`$${name}`)
const rows = Number(setting('rows') ?? 45)
const locale = setting('locale') === 'zh' ? 'zh' : 'en'
const gateway = createGateway(rows)
const delay = Number(setting('delay') ?? 0)

const Explode = () => {
  throw new Error('The widget fell over.')
}
registerWidgets(
  defineWidget({
    name: 'test.explode',
    description: { zh: '会出错的组件', en: 'A widget that fails' },
    props: { type: 'object', properties: {} },
    load: () => Promise.resolve({ default: Explode }),
    example: { props: {} },
  }),
)

const listeners = new Set<() => void>()
const go: Host['navigate'] = (address, options) => {
  if (options?.newWindow) {
    host.events.push(`window ${address}`)
    return
  }
  // Settings of the harness stay in the address; they are not the page's.
  const url = new URL(address, location.origin)
  for (const [name, value] of given) if (name.startsWith('$')) url.searchParams.set(name, value)
  history[options?.replace ? 'replaceState' : 'pushState'](null, '', url)
  listeners.forEach((listener) => listener())
}
addEventListener('popstate', () => listeners.forEach((listener) => listener()))

const host = fakeHost({
  locale,
  answer: async (request) => {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    request.signal?.throwIfAborted()
    return gateway.answer(request)
  },
  overrides: {
    theme: setting('theme') === 'dark' ? 'dark' : 'light',
    navigate: go,
    notify: (type, message, action) => {
      host.events.push(`notify ${type} ${message}`)
      if (!action) return
      const button = document.createElement('button')
      button.textContent = action.label
      button.onclick = () => {
        button.remove()
        action.run()
      }
      document.body.append(button)
    },
    loadPage: async (id) => {
      const bundle = BUNDLES[id]
      if (window.harness.pageMode === 'down') throw new RequestError('network', 'The server does not answer.')
      if (!bundle) throw new RequestError('business', 'There is no such page.', 10010004)
      return { bundle, from: window.harness.pageMode === 'local' ? 'local' : 'gateway' }
    },
  },
})
window.harness = {
  events: host.events,
  requests: () =>
    host.requests.map(({ method, path, body }) => ({ method, path, body: body instanceof FormData ? 'file' : body })),
  gateway,
  pageMode: setting('page') === 'local' ? 'local' : setting('page') === 'down' ? 'down' : 'gateway',
}
if (setting('gateway') === 'fails' || setting('gateway') === 'denies') gateway.set(setting('gateway') as 'fails' | 'denies')

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const address = (): string => {
  const url = new URL(location.href)
  for (const name of [...url.searchParams.keys()]) if (name.startsWith('$')) url.searchParams.delete(name)
  return url.pathname + url.search
}
const Page = () => <PageHost address={useSyncExternalStore(subscribe, address)} />

// What the shell does around a page.
document.documentElement.style.colorScheme = host.theme
document.body.style.margin = '0'
document.body.style.background = host.theme === 'dark' ? '#000' : '#f5f5f5'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ConfigProvider theme={themeConfig(host.theme, { light: theme.defaultAlgorithm, dark: theme.darkAlgorithm })}>
        <App>
          <HostProvider value={host}>
            <main style={{ padding: 16 }}>
              <Page />
            </main>
          </HostProvider>
        </App>
      </ConfigProvider>
    </StrictMode>,
  )
}
