import { Resolver } from 'node:dns/promises'

const PATIENCE = 2_000

/** The mail exchangers of a domain, the preferred first; none where DNS does not answer in time: they are a hint. */
export async function exchangersOf(domain: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: PATIENCE, tries: 1 })
  const found = await resolver.resolveMx(domain).catch(() => [])
  return found.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
}
