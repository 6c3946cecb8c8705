/** What a bench page tells the runner. Each hook is there for the workloads that need it; bench/README.md says what each means. */
export interface BenchHooks {
  /** Starts the render; the clock starts here. */
  mount(): void
  fields?(): number
  field?(n: number): HTMLElement | null
  submit?(): HTMLElement | null
  errors?(): number
  rows?(): number
  firstRow?(): HTMLElement | null
  sorter?(): HTMLElement | null
  scroller?(): HTMLElement | null
  cell?(row: number): HTMLElement | null
}

/** A bench page: loads what it needs, then answers its hooks. It renders nothing before `mount()`. */
export type BenchPage = (root: HTMLElement) => BenchHooks | Promise<BenchHooks>

declare global {
  interface Window {
    /** `ready` resolves when `mount` may be called; the other hooks are there from then on. */
    __bench: { ready: Promise<void> } & Partial<BenchHooks>
  }
}
