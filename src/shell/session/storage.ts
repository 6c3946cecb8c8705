/** A storage as long as the page is open, for browsers that refuse theirs. */
class MemoryStorage implements Storage {
  private readonly items = new Map<string, string>()
  get length(): number {
    return this.items.size
  }
  key(index: number): string | null {
    return [...this.items.keys()][index] ?? null
  }
  getItem(key: string): string | null {
    return this.items.get(key) ?? null
  }
  setItem(key: string, value: string): void {
    this.items.set(key, value)
  }
  removeItem(key: string): void {
    this.items.delete(key)
  }
  clear(): void {
    this.items.clear()
  }
}

const inMemory = { localStorage: new MemoryStorage(), sessionStorage: new MemoryStorage() }

/** The browser's own; null where a setting or policy forbids it, so that already naming it throws. */
function ofBrowser(name: keyof typeof inMemory): Storage | null {
  try {
    const storage = window[name]
    storage.getItem('switchboard')
    return storage
  } catch {
    return null
  }
}

export const localStore = (): Storage => ofBrowser('localStorage') ?? inMemory.localStorage
export const sessionStore = (): Storage => ofBrowser('sessionStorage') ?? inMemory.sessionStorage

/** False: what is stored is gone when the page is left. */
export const keepsLocally = (): boolean => ofBrowser('localStorage') !== null
export const keepsInTab = (): boolean => ofBrowser('sessionStorage') !== null
