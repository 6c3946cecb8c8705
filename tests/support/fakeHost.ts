import type { Host, HostRequest, HostUser } from '../../src/headless/host'
import type { Locale } from '../../src/schema/problem'

export interface FakeHostOptions {
  locale?: Locale
  now?: Date
  /** Answers the calls; throws RequestError to refuse. */
  answer?(request: HostRequest): unknown
  permissions?: readonly string[]
  preferences?: Readonly<Record<string, unknown>>
  /** Saved views of every list; the call for them is not among the requests. */
  views?: readonly unknown[]
  /** Called for each notification, navigation and so on, as one line. */
  onEvent?(event: string): void
  confirm?(options: Parameters<Host['confirm']>[0]): boolean
  overrides?: Partial<Host>
}

export interface FakeHost extends Host {
  /** Every request in order. */
  readonly requests: HostRequest[]
  /** What happened besides requests, as lines: "notify success …", "navigate /a?b". */
  readonly events: string[]
  /** What the notifications offered to do, in order. */
  readonly offered: (() => void)[]
}

const USER: HostUser = {
  userId: 'u1',
  staffId: 's1',
  name: 'Wang Wei',
  jobNumber: 'S0042',
  avatar: null,
  jobTime: null,
  deptNames: ['Sales'],
}

/** A Host in memory for tests and benches: real behaviour towards the runtime, no network. */
export const fakeHost = (options: FakeHostOptions = {}): FakeHost => {
  const requests: HostRequest[] = []
  const events: string[] = []
  const offered: (() => void)[] = []
  const store = new Map<string, string>()
  const drafts = new Map<string, string>()
  const preferences = new Map<string, unknown>(Object.entries(options.preferences ?? {}))
  const note = (line: string): void => {
    events.push(line)
    options.onEvent?.(line)
  }
  return {
    requests,
    events,
    offered,
    locale: options.locale ?? 'en',
    timeZone: 'Asia/Shanghai',
    theme: 'light',
    device: 'PC',
    user: USER,
    request: async <T>(request: HostRequest): Promise<T> => {
      if (request.path === '/v2/sys/staff/views')
        return {
          settings: preferences.get(`list:${String(request.query?.list)}`) ?? null,
          views: options.views ?? [],
        } as T
      requests.push(request)
      return (await options.answer?.(request)) as T
    },
    exportFile: async (path, body, fileName) => {
      requests.push({ method: 'POST', path, body })
      note(`exportFile ${path} ${fileName}`)
    },
    downloadFile: async (path) => note(`downloadFile ${path}`),
    readBlob: async (path) => {
      note(`readBlob ${path}`)
      return new Blob(['GIF89a'], { type: 'image/gif' })
    },
    previewFile: (file) => note(`previewFile ${file.name}`),
    navigate: (address, how) => note(`navigate${how?.replace ? ' replace' : ''}${how?.newWindow ? ' window' : ''} ${address}`),
    closePage: (next) => note(next === undefined ? 'closePage' : `closePage ${next}`),
    can: (key) => options.permissions?.includes(key) ?? true,
    loadPage: () => Promise.reject(new Error('This fake has no pages. Give loadPage in overrides.')),
    canOpen: (address) => !address.startsWith('/forbidden'),
    notify: (type, message, action) => {
      note(`notify ${type} ${message}${action ? ` [${action.label}]` : ''}`)
      if (action) offered.push(action.run)
    },
    confirm: async (asked) => {
      note(`confirm ${asked.title}${asked.phrase ? ` [${asked.phrase}]` : ''}`)
      return options.confirm?.(asked) ?? true
    },
    copy: async (text) => note(`copy ${text}`),
    now: () => options.now ?? new Date('2026-03-10T02:00:00.000Z'),
    preference: async <T>(key: string) => (preferences.get(key) ?? null) as T | null,
    savePreference: async (key, value) => {
      preferences.set(key, value)
      note(`savePreference ${key}`)
    },
    local: {
      get: (key) => store.get(key) ?? null,
      set: (key, value) => store.set(key, value).has(key),
      remove: (key) => void store.delete(key),
    },
    drafts: {
      get: (key) => drafts.get(key) ?? null,
      set: async (key, value) => drafts.set(key, value).has(key),
      remove: (key) => void drafts.delete(key),
      forget: (records) => {
        for (const key of [...drafts.keys()]) if (records.some((record) => key.endsWith(`:${record}`))) drafts.delete(key)
      },
    },
    setUnsaved: (unsaved) => note(`setUnsaved ${unsaved}`),
    watchDownload: (taskId) => note(`watchDownload ${taskId}`),
    report: (error) => note(`report ${error instanceof Error ? error.message : String(error)}`),
    ...options.overrides,
  }
}
