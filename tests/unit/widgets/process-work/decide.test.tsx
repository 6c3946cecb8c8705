// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import type { HostRequest } from '../../../../src/headless/host'
import Task from '../../../../src/widgets/process-work/task/Task'
import { fakeHost } from '../../../support/fakeHost'
import { approvalAnswers, bundleAt, instanceDetail } from '../approvalAnswers'

let root: Root | null = null
const draw = async (detail: unknown): Promise<HTMLElement> => {
  const container = document.createElement('div')
  document.body.append(container)
  const answer = ({ path }: HostRequest): unknown => (path.endsWith('/instanceDetail') ? detail : (approvalAnswers[path] ?? {}))
  const host = fakeHost({ locale: 'en', answer })
  root = createRoot(container)
  await act(async () =>
    root?.render(
      <HostProvider value={host}>
        <Task props={{ list: 'todo' }} values={{ query: { taskId: 't1' } }} />
      </HostProvider>,
    ),
  )
  await vi.waitFor(
    async () => {
      await act(async () => new Promise((resolve) => setTimeout(resolve, 0)))
      if (!container.querySelector('.sb-form-item')) throw new Error('no form yet')
    },
    { timeout: 20_000 },
  )
  return container
}
const buttonNamed = (within: ParentNode, name: string): HTMLButtonElement => {
  const found = [...within.querySelectorAll('button')].find(({ textContent }) => textContent === name)
  if (!found) throw new Error(`There is no button ${name}.`)
  return found
}

beforeAll(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  class NoObserver {
    observe = (): void => undefined
    unobserve = (): void => undefined
    disconnect = (): void => undefined
  }
  vi.stubGlobal('ResizeObserver', NoObserver)
  vi.stubGlobal('IntersectionObserver', NoObserver)
})
afterEach(async () => {
  await act(async () => root?.unmount())
  root = null
  document.body.replaceChildren()
})

describe('a task', () => {
  it.each([
    ['with fields to change', instanceDetail],
    ['that is only read', { ...instanceDetail, form: { ...instanceDetail.form, bundle: bundleAt(null), rights: {} } }],
  ])('%s opens the question of its decision', async (_, detail) => {
    const container = await draw(detail)
    await act(async () => buttonNamed(container, 'Agree').click())
    await vi.waitFor(
      async () => {
        await act(async () => new Promise((resolve) => setTimeout(resolve, 0)))
        if (!document.querySelector('.ant-modal'))
          throw new Error(`no dialog: ${document.querySelector('.sb-form-summary')?.textContent ?? ''}`)
      },
      { timeout: 10_000 },
    )
    expect(document.querySelector('.ant-modal-title')?.textContent).toBe('Agree')
  })
})
