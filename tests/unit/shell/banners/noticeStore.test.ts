// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadPart } from '../../../../src/runtime/part/loadPart'
import { NoticeStore } from '../../../../src/shell/banners/noticeStore'

let end: () => void
let notices: NoticeStore
let reached: boolean

beforeEach(() => {
  vi.useFakeTimers()
  reached = true
  notices = new NoticeStore(null, () => Promise.resolve(reached))
  end = notices.watch()
})
afterEach(() => {
  end()
  vi.useRealTimers()
})

/** As the bundler loads a chunk: a failure is told to the window first. */
const chunk = (...answers: ('fails' | 'arrives')[]) => {
  let at = 0
  return () => {
    if (answers[at++] === 'arrives') return Promise.resolve({ default: 1 })
    window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
    return Promise.reject(new Error('gone'))
  }
}
const settled = async (load: () => Promise<unknown>): Promise<void> => {
  const part = loadPart(load).catch(() => undefined)
  await vi.runAllTimersAsync()
  await part
}

describe('the upgrade banner (R383)', () => {
  it('does not show for a part of the program that arrives at the second try', async () => {
    await settled(chunk('fails', 'arrives'))
    expect(notices.upgraded).toBe(false)
  })

  it('shows when the second try fails too', async () => {
    await settled(chunk('fails', 'fails'))
    expect(notices.upgraded).toBe(true)
  })

  it('does not show when the network is gone: nothing was upgraded then', async () => {
    reached = false
    await settled(chunk('fails', 'fails'))
    expect(notices.upgraded).toBe(false)
  })
})
