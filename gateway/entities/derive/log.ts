import type { EntityModel } from '../../../src/schema/entity'
import type { EntityRecord } from '../calls'
import type { Written } from '../core'
import { sameStored } from './value'

interface Entry {
  before: EntityRecord | null
  after: EntityRecord
  /** Kept fields that followed in this write. */
  followed: Set<string>
}

/** Is a row there for rollups? */
export const isLive = (row: EntityRecord | null): row is EntityRecord => row !== null && (row.deletedAt ?? null) === null

/** Every row that one write changed, its consequences included: as it was, and as it is. */
export class ChangeLog {
  private readonly entries = new Map<EntityModel, Map<string, Entry>>()

  add(model: EntityModel, written: readonly Written[], followed: readonly string[] = []): void {
    const rows = this.entries.get(model) ?? new Map<string, Entry>()
    this.entries.set(model, rows)
    for (const { before, after } of written) {
      const id = String(after.id)
      const known = rows.get(id)
      if (!known) rows.set(id, { before, after, followed: new Set(followed) })
      else {
        // what was read later completes what was not read before
        if (known.before)
          for (const [name, value] of Object.entries(before ?? {})) if (!(name in known.before)) known.before[name] = value
        Object.assign(known.after, after)
        for (const name of followed) known.followed.add(name)
      }
    }
  }

  of(model: EntityModel): readonly Entry[] {
    return [...(this.entries.get(model)?.values() ?? [])]
  }

  find(model: EntityModel, id: string): Entry | undefined {
    return this.entries.get(model)?.get(id)
  }

  /** Ids of rows in which a field is new or different. */
  changed(model: EntityModel, name: string): string[] {
    const field = model.fields.get(name)
    return this.of(model).flatMap(({ before, after }) =>
      !field || (before !== null && sameStored(field, before[name], after[name])) ? [] : [String(after.id)],
    )
  }

  /** Ids of rows that were there before and in which a field is another one. */
  renewed(model: EntityModel, name: string): string[] {
    return this.changed(model, name).filter((id) => this.find(model, id)?.before !== null)
  }

  /** Ids of rows whose derived values have not followed yet: one that they read was kept in this very write, or they came back. */
  behind(model: EntityModel, reads: ReadonlySet<string>): string[] {
    return this.of(model).flatMap(({ before, after, followed }) =>
      [...followed].some((name) => reads.has(name)) || (before !== null && !isLive(before) && isLive(after))
        ? [String(after.id)]
        : [],
    )
  }
}
