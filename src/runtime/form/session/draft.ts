import type { Host } from '../../../headless/host'

/** What a person typed and has not submitted, kept in the browser until it is submitted or discarded. */
export interface Draft {
  /** ISO 8601. */
  at: string
  /** Version of the record that it was typed over. */
  version?: number
  values: Readonly<Record<string, unknown>>
}

export interface DraftStore {
  read(): Draft | null
  /** Writes soon; `collect` is asked at that moment and may answer null: there is nothing to keep. `settled` hears null when the browser keeps it not. */
  schedule(collect: () => Readonly<Record<string, unknown>> | null, settled: (at: Date | null) => void): void
  /** Writes what is scheduled now (the page is being left). */
  flush(): void
  drop(): void
}

const DELAY = 800

const isDraft = (value: unknown): value is Draft =>
  value !== null &&
  typeof value === 'object' &&
  typeof (value as Draft).at === 'string' &&
  typeof (value as Draft).values === 'object' &&
  (value as Draft).values !== null

/** Key of a draft: one per page and record. The id of the record stands last. */
export const draftKey = (page: string, record: string | undefined): string => `${page}:${record ?? 'new'}`

export const createDraftStore = (host: Host, key: string, version: number | undefined): DraftStore => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pending: (() => void) | undefined
  let writing = 0
  const cancel = (): void => {
    clearTimeout(timer)
    pending = undefined
  }
  return {
    read: () => {
      try {
        const stored: unknown = JSON.parse(host.drafts.get(key) ?? 'null')
        return isDraft(stored) ? stored : null
      } catch {
        // a draft that cannot be read is worth nothing
        host.drafts.remove(key)
        return null
      }
    },
    schedule: (collect, settled) => {
      cancel()
      pending = () => {
        cancel()
        const values = collect()
        if (!values) {
          host.drafts.remove(key)
          return
        }
        const at = host.now()
        const draft = { at: at.toISOString(), values, ...(version === undefined ? {} : { version }) }
        const mine = ++writing
        void host.drafts.set(key, JSON.stringify(draft)).then((kept) => {
          // a later one, or its end, has the word
          if (mine === writing) settled(kept ? at : null)
        })
      }
      timer = setTimeout(() => pending?.(), DELAY)
    },
    flush: () => pending?.(),
    drop: () => {
      cancel()
      writing += 1
      host.drafts.remove(key)
    },
  }
}
