import '@ant-design/v5-patch-for-react-19'
import { App, ConfigProvider, theme } from 'antd'
import { Activity, StrictMode, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { FormView } from '../../../../src/runtime/form'
import type { Saved } from '../../../../src/runtime/form'
import { RequestError, type HostRequest } from '../../../../src/headless/host'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { compilePage } from '../../../../src/schema/compile'
import '../../../../src/schema/expression/functions/all'
import type { FormNode } from '../../../../src/schema/generated/page'
import type { FormModel } from '../../../../src/schema/model'
import { themeConfig } from '../../../../src/runtime/themeConfig'
import { orderDocuments } from '../../../fixtures/entities/orders'
import { fakeHost } from '../../../support/fakeHost'
import { INITIAL, SCHEMAS } from './schemas'

/** What a save answers: set by a test; an error by its code. */
type Reply = { answer: unknown } | { code: number; message: string; data?: unknown } | { kind: 'network' }

declare global {
  interface Window {
    form: {
      requests: HostRequest[]
      events: string[]
      saved: Saved[]
      replies: Reply[]
      delay: number
      record: Record<string, unknown>
      /** Draws another form in the place of the one that is there, without loading the page again. */
      show(schema: FormNode, values: Record<string, unknown>): void
    }
  }
}

const query = new URLSearchParams(location.search)
const name = query.get('form') ?? 'plain'
const locale = query.get('locale') === 'zh' ? 'zh' : 'en'
const state: Window['form'] = {
  requests: [],
  events: [],
  saved: [],
  replies: [],
  delay: Number(query.get('delay') ?? 0),
  record: { id: '7', version: 3, name: 'Old', code: 'C1', remark: null },
  show: () => undefined,
}
window.form = state

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
let keys = 0

const answer = async (request: HostRequest): Promise<unknown> => {
  state.requests.push(request)
  if (request.path.endsWith('/idempotence')) return { key: `key-${++keys}` }
  if (request.path.includes('/view/')) return { record: state.record, refs: {}, can: { edit: query.get('can') !== 'no' } }
  if (request.path.endsWith('/select')) {
    const { ids } = request.body as { ids?: string[] }
    return (ids ?? ['s1', 's2']).map((id) => ({ id, title: `Title of ${id}` }))
  }
  if (request.path.endsWith('/queryPage'))
    return {
      records: [
        { id: 'd1', name: 'Sales', parentId: null },
        { id: 'd2', name: 'East', parentId: 'd1' },
      ],
    }
  await wait(state.delay)
  const reply = state.replies.shift()
  if (!reply) return { id: '7' }
  if ('answer' in reply) return reply.answer
  if ('kind' in reply) throw new RequestError('network', 'The network is down.')
  throw new RequestError('business', reply.message, reply.code, reply.data)
}

const host = fakeHost({
  locale,
  answer,
  onEvent: (event) => state.events.push(event),
  overrides: {
    drafts: {
      get: (key) => localStorage.getItem(`draft ${key}`),
      set: async (key, value) => {
        localStorage.setItem(`draft ${key}`, value)
        return true
      },
      remove: (key) => localStorage.removeItem(`draft ${key}`),
      forget: () => undefined,
    },
  },
})

const compiled = (schema: FormNode, page = name): FormModel => {
  const result = compilePage(
    {
      page: {
        formatVersion: 3,
        kind: 'form',
        name: `test/${page}`,
        title: { zh: '表单', en: 'Form' },
        ...(name === 'lines' ? { entity: 'test.order' } : {}),
        schema,
        initial: INITIAL[name] ?? {},
        submit: name === 'lines' ? {} : { call: 'POST /v2/test/thing/save' },
      },
      where: 'test.json',
      revision: page,
      entities: Object.fromEntries(orderDocuments.map((entity) => [entity.name, entity])),
      dictionaries: {},
    },
    { locale, permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' },
  )
  if (!result.ok || result.model.kind !== 'form') throw new Error(JSON.stringify(result))
  return query.has('id') && name !== 'lines'
    ? { ...result.model, viewCall: { method: 'GET', path: '/v2/test/thing/view/{id}' } }
    : result.model
}
const scope = { query: Object.fromEntries(query) }

interface Shown {
  model: FormModel
  /** What the form is opened with: what was sent before. */
  given: Record<string, unknown>
  key: number
}
const first: Shown = { model: compiled(SCHEMAS[name] ?? { type: 'object', properties: {} }), given: {}, key: 0 }

const Page = () => {
  const [shown, setShown] = useState(first)
  const [hidden, setHidden] = useState(false)
  const [done, setDone] = useState(false)
  state.show = (schema, given) => {
    state.requests = []
    flushSync(() => {
      setDone(false)
      setShown({ model: compiled(schema, `${name}${shown.key + 1}`), given, key: shown.key + 1 })
    })
  }
  return (
    <>
      <button id="toggle" type="button" onClick={() => setHidden(!hidden)}>
        Toggle
      </button>
      <Activity mode={hidden ? 'hidden' : 'visible'}>
        {done ? (
          <p>Saved</p>
        ) : (
          <FormView
            key={shown.key}
            model={shown.model}
            scope={scope}
            values={shown.given}
            onDone={(saved) => {
              state.saved.push(saved)
              setDone(true)
            }}
            onCancel={() => state.events.push('cancel')}
          />
        )}
      </Activity>
    </>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <ConfigProvider theme={themeConfig('light', { light: theme.defaultAlgorithm, dark: theme.darkAlgorithm })}>
      <App>
        <HostProvider value={host}>
          <main style={{ padding: 24 }}>
            <h1>Form</h1>
            <Page />
          </main>
        </HostProvider>
      </App>
    </ConfigProvider>
  </StrictMode>,
)
