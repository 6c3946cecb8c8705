// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RequestError, type HostRequest } from '../../../../src/headless/host'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { useImportFlow } from '../../../../src/runtime/list/importFlow'
import { fakeHost, type FakeHost } from '../../../support/fakeHost'
import { listBody } from '../../../support/models'

type Flow = ReturnType<typeof useImportFlow>
const TASK = '/v2/download/downloadCenter/api/task/t1'
const state = {
  importId: 't1',
  total: 600,
  valid: 590,
  columns: [],
  errors: [],
  sample: [],
  result: null as object | null,
}

let flow: Flow
let saved = 0
let leave = (): void => undefined
const tasks: object[] = []
const answer = ({ path }: HostRequest): unknown => {
  if (path === TASK) return tasks.length > 1 ? tasks.shift() : tasks[0]
  if (path.endsWith('/import/preview') || path.endsWith('/import/commit')) return { taskId: 't1' }
  if (path.endsWith('/import/t1')) return { ...state }
  if (path === `${TASK}/cancel`) return {}
  throw new RequestError('business', 'unknown call', 10010004)
}

const Probe = ({ task }: { task?: string }): null => {
  flow = useImportFlow({ body: listBody(), page: '/things', task, onSaved: () => (saved += 1) })
  return null
}
const open = async (host: FakeHost, task?: string): Promise<void> => {
  const root = createRoot(document.createElement('div'))
  leave = () => act(() => root.unmount())
  await act(async () =>
    root.render(
      <HostProvider value={host}>
        <Probe task={task} />
      </HostProvider>,
    ),
  )
}
const wait = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  state.result = null
  tasks.length = 0
  saved = 0
})
afterEach(() => {
  leave()
  vi.useRealTimers()
})

it('follows a large file through its check and its import, and says where it was begun', async () => {
  tasks.push({ status: 'running', step: 'check', progress: 0.4 }, { status: 'checked', step: 'check', progress: 1 })
  const host = fakeHost({ answer })
  await open(host)
  await act(() => flow.upload(new File(['x'], 'large.csv')))
  expect(host.requests[0]?.query).toEqual({ page: '/things' })
  await wait(10)
  expect(flow.step).toMatchObject({ at: 'task', doing: 'check', progress: 0.4 })
  await wait(1_000)
  expect(flow.step).toMatchObject({ at: 'check', preview: { total: 600, valid: 590 } })

  tasks.splice(0, 9, { status: 'running', step: 'commit', progress: 0.5 }, { status: 'done', step: 'commit', progress: 1 })
  state.result = { created: 588, refused: [{ row: 4, message: 'taken' }], refusedTotal: 2, finished: true }
  await act(() => flow.commit({ ...state, importId: 't1' }))
  await wait(10)
  expect(flow.step).toMatchObject({ at: 'task', doing: 'commit', progress: 0.5 })
  await wait(1_000)
  expect(flow.step).toMatchObject({ at: 'done', notSaved: 12, answer: { created: 588, refusedTotal: 2 } })
  expect(saved).toBe(1)
  expect(host.events).toEqual([])
})

it('leaves a closed import to the download centre, and goes on with it from there', async () => {
  tasks.push({ status: 'running', step: 'commit', progress: 0.2 })
  const host = fakeHost({ answer })
  await open(host, 't1')
  await wait(10)
  expect(flow.step).toMatchObject({ at: 'task', doing: 'commit', progress: 0.2 })
  leave()
  expect(host.events).toEqual(['watchDownload t1'])

  tasks.splice(0, 1, { status: 'cancelled', step: 'commit', progress: 0.2 })
  state.result = { created: 200, refused: [], refusedTotal: 0, finished: false }
  await open(host, 't1')
  await wait(10)
  expect(flow.step).toMatchObject({ at: 'check', created: 200 })
})

it('says why a file was refused in the background, and takes another one', async () => {
  tasks.push({ status: 'failed', step: 'check', progress: 0, message: 'There is no column X.' })
  await open(
    fakeHost({
      answer: (request) => {
        if (request.path.endsWith('/import/t1')) throw new RequestError('business', 'gone', 10010004)
        return answer(request)
      },
    }),
    't1',
  )
  await wait(10)
  expect([flow.step, flow.failure]).toEqual([{ at: 'upload', fraction: null }, 'There is no column X.'])
})
