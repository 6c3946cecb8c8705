import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HostRequest } from '../../../../src/headless/host'
import { MessageStore, type Message } from '../../../../src/shell/messages/messageStore'

const message = (id: string, read = false): Message => ({
  id,
  matter: 'Notice',
  title: id,
  text: null,
  link: null,
  from: null,
  at: '2026-03-10T02:00:00.000Z',
  read,
})

/** A gateway with messages, two a page. */
function gateway() {
  const state = { messages: [message('c'), message('b'), message('a', true)], down: false, counts: 0 }
  const unread = () => state.messages.filter(({ read }) => !read).length
  const request = <T>({ path, body }: HostRequest): Promise<T> => {
    if (state.down) return Promise.reject(new Error('no network'))
    const answer = (): unknown => {
      if (path.endsWith('/getMsgTypeCount')) {
        state.counts += 1
        return { unread: unread() }
      }
      if (path.endsWith('/message/list')) {
        const { unread: only, cursor } = body as { unread: boolean; cursor: string }
        const all = state.messages.filter(({ read }) => !only || !read)
        const start = Number(cursor || '0')
        return {
          records: all.slice(start, start + 2),
          total: all.length,
          next: all.length > start + 2 ? String(start + 2) : null,
        }
      }
      const id = /msgId=(.+)$/.exec(path)?.[1]
      state.messages = state.messages.map((one) => (id === undefined || one.id === id ? { ...one, read: true } : one))
      return { unread: unread() }
    }
    return Promise.resolve(answer() as T)
  }
  return { state, store: new MessageStore({ request }) }
}
const ids = ({ messages }: MessageStore) => messages?.map(({ id, read }) => (read ? `${id}-` : id))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the messages of a person', () => {
  it('are counted when one comes, once for several of one moment, and not at a heartbeat (R226, R227)', async () => {
    const { state, store } = gateway()
    store.hear({ event: 'heartbeat' })
    store.hear({ event: 'schema' })
    await vi.runAllTimersAsync()
    expect([store.unread, state.counts]).toEqual([0, 0])
    store.hear({ event: 'message' })
    expect(store.unread).toBe(1)
    store.hear({ event: 'message' })
    await vi.runAllTimersAsync()
    expect([store.unread, state.counts]).toEqual([2, 1])
    state.messages = state.messages.map((one) => ({ ...one, read: true }))
    store.hear({ event: 'messageRead' })
    await vi.runAllTimersAsync()
    expect(store.unread).toBe(0)
  })

  it('are read page by page, the unread ones alone, and anew when one comes while they are shown', async () => {
    const { state, store } = gateway()
    store.setOpen(true)
    await vi.runAllTimersAsync()
    expect(ids(store)).toEqual(['c', 'b'])
    await store.more()
    expect(ids(store)).toEqual(['c', 'b', 'a-'])
    expect(store.next).toBeNull()
    store.showUnread(true)
    expect(store.messages).toBeNull()
    await vi.runAllTimersAsync()
    expect(ids(store)).toEqual(['c', 'b'])
    state.messages = [message('d'), ...state.messages]
    store.hear({ event: 'message' })
    await vi.runAllTimersAsync()
    expect(ids(store)).toEqual(['d', 'c'])
  })

  it('are marked as read, one or all', async () => {
    const { store } = gateway()
    await store.load()
    await store.read(store.messages![0]!)
    expect([store.unread, ids(store)]).toEqual([1, ['c-', 'b']])
    await store.readAll()
    expect([store.unread, ids(store)]).toEqual([0, ['c-', 'b-']])
  })

  it('say why they could not be read, and the bell keeps what it knew', async () => {
    const { state, store } = gateway()
    await store.count()
    state.down = true
    await store.load()
    await store.count()
    expect([store.failure, store.unread, store.loading]).toEqual(['no network', 2, false])
    state.down = false
    await store.load()
    expect([store.failure, ids(store)]).toEqual([null, ['c', 'b']])
  })
})
