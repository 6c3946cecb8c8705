import { Resolver } from 'node:dns/promises'

/** Asks the DNS of the gateway for the addresses of names, a few at once; a name without an answer has none. */
export async function resolveNames(
  names: readonly string[],
  { atOnce = 10, timeout = 2_000 } = {},
): Promise<Map<string, string[]>> {
  const resolver = new Resolver({ timeout, tries: 1 })
  const found = new Map<string, string[]>()
  const waiting = [...names]
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      found.set(
        name,
        answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return found
}
