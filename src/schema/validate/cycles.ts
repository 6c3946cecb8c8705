/**
 * The circles of a graph (name -> what it depends on), each once, from its first node in the order of the map.
 * One circle for every group of nodes that reach each other: mending it shows the next.
 */
export const findCycles = (edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] => {
  const done = new Set<string>()
  const cycles: string[][] = []
  for (const start of edges.keys()) {
    if (done.has(start)) continue
    const cycle = cycleFrom(start, edges, done)
    if (cycle) cycles.push(cycle)
  }
  return cycles
}

interface Visit {
  name: string
  next: Iterator<string>
}

/** Depth first without recursion: a hostile document cannot exhaust the stack. */
function cycleFrom(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>, done: Set<string>): string[] | undefined {
  const open: Visit[] = []
  const position = new Map<string, number>()
  let found: string[] | undefined
  const enter = (name: string): void => {
    position.set(name, open.length)
    open.push({ name, next: (edges.get(name) ?? new Set<string>()).values() })
  }
  enter(start)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { value: name, done: exhausted } = top.next.next()
    if (exhausted) {
      done.add(top.name)
      position.delete(top.name)
      open.pop()
    } else if (position.has(name)) {
      found ??= open.slice(position.get(name)).map((visit) => visit.name)
    } else if (!done.has(name)) enter(name)
  }
  return found
}
