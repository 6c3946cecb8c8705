import { makeAutoObservable } from 'mobx'
import { deviceOf, startsCollapsed, type Device } from './device'

interface WindowSize {
  width: number
  height: number
}

const DEVICE_KEY = 'switchboard.device'
const MENU_KEY = 'switchboard.menu'

/** Size and device mode of the window, side menu, the active layout (the module whose menu is shown, R184), and whether all of it still loads (R170). */
export class LayoutStore {
  /** Until user, rights and routes are there. */
  loading = true
  /** Inner size of the window, px. */
  width: number
  height: number
  device: Device
  collapsed: boolean
  drawerOpen = false
  searchOpen = false
  /** What is typed into the search over the menu. */
  searchText = ''
  /** Name of the active module; "home" shows neither menu nor tabs on /home. */
  layout = 'home'
  /** Open groups by module, remembered. */
  private openGroups: Record<string, readonly string[]>
  private readonly storage: Storage

  constructor({ width, height }: WindowSize, storage: Storage) {
    this.storage = storage
    this.width = width
    this.height = height
    const kept = readKept(storage)
    this.device = deviceOf(width)
    this.collapsed = kept.collapsed[this.device] ?? startsCollapsed(this.device)
    this.openGroups = kept.open
    this.keepDevice()
    makeAutoObservable<this, 'storage'>(this, { storage: false }, { autoBind: true })
  }

  /** Follows the window (R201-R203); the mode is stored (R204). */
  resize({ width, height }: WindowSize): void {
    this.width = width
    this.height = height
    const device = deviceOf(width)
    if (device === this.device) return
    this.device = device
    this.collapsed = readKept(this.storage).collapsed[device] ?? startsCollapsed(device)
    this.drawerOpen = false
    this.keepDevice()
  }

  setLoading(loading: boolean): void {
    this.loading = loading
  }

  setLayout(name: string): void {
    this.layout = name
  }

  toggleMenu(): void {
    if (this.device === 'Mobile') this.drawerOpen = !this.drawerOpen
    else {
      this.collapsed = !this.collapsed
      this.keepMenu()
    }
  }

  setDrawer(open: boolean): void {
    this.drawerOpen = open
  }

  setSearch(open: boolean): void {
    this.searchOpen = open
    this.searchText = ''
  }

  setSearchText(text: string): void {
    this.searchText = text
  }

  openKeys(module: string): readonly string[] {
    return this.openGroups[module] ?? []
  }

  setOpenKeys(module: string, keys: readonly string[]): void {
    this.openGroups = { ...this.openGroups, [module]: keys }
    this.keepMenu()
  }

  private keepDevice() {
    write(this.storage, DEVICE_KEY, this.device)
  }

  private keepMenu() {
    const kept = readKept(this.storage)
    write(
      this.storage,
      MENU_KEY,
      JSON.stringify({ open: this.openGroups, collapsed: { ...kept.collapsed, [this.device]: this.collapsed } }),
    )
  }
}

interface KeptMenu {
  open: Record<string, readonly string[]>
  collapsed: Partial<Record<Device, boolean>>
}

function readKept(storage: Storage): KeptMenu {
  const kept: KeptMenu = { open: {}, collapsed: {} }
  try {
    const value: unknown = JSON.parse(storage.getItem(MENU_KEY) ?? 'null')
    if (typeof value !== 'object' || value === null) return kept
    const { open, collapsed } = value as Partial<Record<keyof KeptMenu, unknown>>
    if (typeof open === 'object' && open !== null) {
      for (const [module, keys] of Object.entries(open)) {
        if (Array.isArray(keys)) kept.open[module] = keys.filter((key): key is string => typeof key === 'string')
      }
    }
    if (typeof collapsed === 'object' && collapsed !== null) {
      for (const device of ['PC', 'IPAD'] as const) {
        const flag = (collapsed as Record<string, unknown>)[device]
        if (typeof flag === 'boolean') kept.collapsed[device] = flag
      }
    }
    return kept
  } catch {
    return kept
  }
}

function write(storage: Storage, key: string, value: string) {
  try {
    storage.setItem(key, value)
  } catch {
    // A full or forbidden storage costs only the memory of it.
  }
}
