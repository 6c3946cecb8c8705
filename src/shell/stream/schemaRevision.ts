import type { SchemaChanges } from '../../headless/host'

/** Remembers which schemas the gateway serves and tells when they are others. */
export class SchemaRevision implements SchemaChanges {
  revision: string | null = null
  private readonly listeners = new Set<() => void>()

  listen = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  note = (revision: string): void => {
    if (this.revision === revision) return
    const first = this.revision === null
    this.revision = revision
    if (!first) for (const listener of [...this.listeners]) listener()
  }
}
