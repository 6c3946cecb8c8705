const KEY = 'switchboard.recentRecords'
const MOST = 8

export interface RecentRecord {
  path: string
  title: string
  more: string
}

/** Records that were opened from the search, the last one first; signing out forgets them. */
export function readRecent(storage: Storage): readonly RecentRecord[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, MOST) : []
  } catch {
    return []
  }
}

export function keepRecent(storage: Storage, record: RecentRecord): void {
  const others = readRecent(storage).filter(({ path }) => path !== record.path)
  try {
    storage.setItem(KEY, JSON.stringify([record, ...others].slice(0, MOST)))
  } catch {
    // a full or forbidden storage costs only the memory of it
  }
}

const isRecent = (value: unknown): value is RecentRecord =>
  typeof value === 'object' &&
  value !== null &&
  (['path', 'title', 'more'] as const).every((name) => typeof (value as Record<string, unknown>)[name] === 'string') &&
  (value as RecentRecord).path.startsWith('/')
