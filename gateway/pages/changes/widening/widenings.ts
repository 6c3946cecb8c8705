import type { Snapshot } from '../live'
import { describeWidening, type WideningDifference, type WideningParts } from './describe'

/** What snapshots let somebody see or do that he may not now: a release asks again what its check asked a moment before. */
export class Widenings {
  private readonly known = new WeakMap<Snapshot, { now: Snapshot; roles: string; found: readonly WideningDifference[] }>()

  constructor(private readonly parts: WideningParts) {}

  async of(now: Snapshot, then: Snapshot): Promise<readonly WideningDifference[]> {
    const holders = await this.parts.holders()
    const roles = JSON.stringify(holders.map(({ permissions, ...holder }) => [holder, [...permissions]]))
    const known = this.known.get(then)
    if (known?.now === now && known.roles === roles) return known.found
    const found = await describeWidening(now, then, holders, this.parts)
    this.known.set(then, { now, roles, found })
    return found
  }
}
