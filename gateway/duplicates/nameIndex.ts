import type { Candidate, Identity } from './compare'
import { bigramsOf, looksLike, pairsOfSimilar } from './names'

/** Records in memory, found by what they may have in common with another one. */
export class NameIndex {
  private readonly bySame = new Map<string, Candidate[]>()
  private readonly byPair = new Map<string, Candidate[]>()

  add(candidate: Candidate): void {
    for (const same of sameKeys(candidate, candidate.domains ?? [])) push(this.bySame, same, candidate)
    for (const pair of bigramsOf(looksLike(candidate.nameKey))) push(this.byPair, pair, candidate)
  }

  /** Whoever has a number, a name or a domain in common, or a name that may be so similar. */
  near(identity: Identity, domains: readonly string[], minSimilarity: number): Set<Candidate> {
    const found = new Set(sameKeys(identity, domains).flatMap((same) => this.bySame.get(same) ?? []))
    const { pairs, lacking } = pairsOfSimilar(looksLike(identity.nameKey), minSimilarity)
    const shared = new Map<Candidate, number>()
    for (const pair of pairs)
      for (const candidate of this.byPair.get(pair) ?? []) shared.set(candidate, (shared.get(candidate) ?? 0) + 1)
    for (const [candidate, count] of shared) if (count >= pairs.length - lacking) found.add(candidate)
    return found
  }
}

function sameKeys(
  { nameKey, nameCore, numbers }: Pick<Identity, 'nameKey' | 'nameCore' | 'numbers'>,
  domains: readonly string[],
): string[] {
  return [
    ...Object.entries({ nameKey, nameCore, ...numbers }).flatMap(([kind, value]) => (value ? [`${kind} ${value}`] : [])),
    ...domains.map((domain) => `domain ${domain}`),
  ]
}

function push(index: Map<string, Candidate[]>, key: string, candidate: Candidate): void {
  const known = index.get(key)
  if (known) known.push(candidate)
  else index.set(key, [candidate])
}
