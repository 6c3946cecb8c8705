import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RequestError, type HostRequest } from '../../../../src/headless/host'
import { DownloadStore, isActive, type DownloadTask } from '../../../../src/shell/downloads/downloadStore'

const task = (id: string, status: DownloadTask['status'], progress = 0): DownloadTask => ({
  id,
  name: id,
  fileName: `${id}.xlsx`,
  kind: 'export',
  status,
  progress,
  rows: null,
  refusedRows: null,
  page: null,
  size: null,
  message: null,
  createdAt: '2026-03-10T02:00:00.000Z',
  expiresAt: null,
})

class MemoryStorage implements Storage {
  private readonly items = new Map<string, string>()
  get length(): number {
    return this.items.size
  }
  clear = (): void => this.items.clear()
  getItem = (key: string): string | null => this.items.get(key) ?? null
  key = (index: number): string | null => [...this.items.keys()][index] ?? null
  removeItem = (key: string): void => void this.items.delete(key)
  setItem = (key: string, value: string): void => void this.items.set(key, value)
}

/** A gateway whose tasks the test sets. */
const gateway = () => {
  const state = { tasks: [] as DownloadTask[], down: false, looks: 0, cancelled: [] as string[] }
  const request = async <T>({ path }: HostRequest): Promise<T> => {
    const cancelled = /\/task\/([^/]+)\/cancel$/.exec(path)?.[1]
    if (cancelled) {
      state.cancelled.push(cancelled)
      state.tasks = state.tasks.map((item) => (item.id === cancelled ? { ...item, status: 'cancelled' } : item))
      return { id: cancelled } as T
    }
    state.looks += 1
    if (state.down) throw new RequestError('network', 'The server cannot be reached')
    return { records: state.tasks, total: state.tasks.length } as T
  }
  return { state, http: { request } }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the download centre', () => {
  it('looks again and again while a task is unfinished, and rests afterwards', async () => {
    const { state, http } = gateway()
    const store = new DownloadStore(http, new MemoryStorage())
    await store.refresh()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state.looks).toBe(1)
    state.tasks = [task('t1', 'running', 0.4)]
    await store.refresh()
    expect(store.active).toBe(1)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(state.looks).toBe(4)
    state.tasks = [task('t1', 'done', 1)]
    await vi.advanceTimersByTimeAsync(60_000)
    expect(store.active).toBe(0)
    expect(state.looks).toBe(5)
  })

  it('tells once of a task that was started here, also after a reload, and of no other', async () => {
    const { state, http } = gateway()
    const storage = new MemoryStorage()
    state.tasks = [task('mine', 'running'), task('elsewhere', 'running')]
    const before = new DownloadStore(http, storage)
    before.watch('mine')
    await vi.advanceTimersByTimeAsync(10)
    before.stop()

    const store = new DownloadStore(http, storage)
    state.tasks = [task('mine', 'done', 1), task('elsewhere', 'done', 1)]
    await store.refresh()
    expect(store.ended.map(({ id }) => id)).toEqual(['mine'])
    store.told('mine')
    await store.refresh()
    expect(store.ended).toEqual([])
    expect(storage.length).toBe(0)
  })

  it('tells of failures with their reason, and not of what somebody cancelled', async () => {
    const { state, http } = gateway()
    const store = new DownloadStore(http, new MemoryStorage())
    state.tasks = [task('a', 'running'), task('b', 'running')]
    store.watch('a')
    store.watch('b')
    await vi.advanceTimersByTimeAsync(10)
    await store.cancel('a')
    expect(state.cancelled).toEqual(['a'])
    state.tasks = state.tasks.map((item) => (item.id === 'b' ? { ...item, status: 'failed', message: 'Too many rows' } : item))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(store.ended.map(({ id, message }) => [id, message])).toEqual([['b', 'Too many rows']])
  })

  it('waits longer after each failure, says why, and recovers', async () => {
    const { state, http } = gateway()
    const store = new DownloadStore(http, new MemoryStorage())
    state.tasks = [task('a', 'running')]
    store.watch('a')
    await vi.advanceTimersByTimeAsync(10)
    state.down = true
    const looks = state.looks
    await vi.advanceTimersByTimeAsync(60_000)
    expect(store.failure).toBe('The server cannot be reached')
    expect(state.looks - looks).toBeLessThan(8)
    state.down = false
    await vi.advanceTimersByTimeAsync(30_000)
    expect(store.failure).toBeNull()
    store.stop()
  })

  it('takes nothing from a damaged memory', async () => {
    const storage = new MemoryStorage()
    storage.setItem('switchboard.downloads', '{"not":"a list"')
    const { state, http } = gateway()
    state.tasks = [task('a', 'done')]
    const store = new DownloadStore(http, storage)
    await store.refresh()
    expect(store.ended).toEqual([])
    expect(store.tasks?.some(isActive)).toBe(false)
  })
})
