import type { Branch, Node, ProcessDocument } from '../../../src/schema/generated/process'

/** Where a node stands in its process. */
export interface Place {
  readonly node: Node
  /** The sequence that it is part of, and its place in it. */
  readonly siblings: readonly Node[]
  readonly index: number
  /** The branch that holds the sequence; null for the process itself. */
  readonly within: { readonly container: Node; readonly branch: Branch } | null
}

const known = new WeakMap<ProcessDocument, ReadonlyMap<string, Place>>()

/** All nodes of a process with their places, by id, in the order in which they are written. */
export function placesOf(process: ProcessDocument): ReadonlyMap<string, Place> {
  const before = known.get(process)
  if (before) return before
  const places = new Map<string, Place>()
  const visit = (siblings: readonly Node[], within: Place['within']): void => {
    for (const [index, node] of siblings.entries()) {
      places.set(node.id, { node, siblings, index, within })
      for (const branch of node.branches ?? []) visit(branch.nodes, { container: node, branch })
    }
  }
  visit(process.nodes, null)
  known.set(process, places)
  return places
}

/** The branches that a node stands in, the outermost first. */
export function branchesAround(places: ReadonlyMap<string, Place>, id: string): { container: Node; branch: Branch }[] {
  const around: { container: Node; branch: Branch }[] = []
  for (let within = places.get(id)?.within; within; within = places.get(within.container.id)?.within) around.unshift(within)
  return around
}

/** Whether a node comes on every way to the other one that it is part of: it stands earlier and not in a sister branch. */
export function standsBefore(places: ReadonlyMap<string, Place>, earlier: string, later: string): boolean {
  const chain = (id: string): string[] => [
    ...branchesAround(places, id).flatMap(({ container, branch }) => [container.id, branch.id]),
    id,
  ]
  const [a, b] = [chain(earlier), chain(later)]
  const differs = a.findIndex((step, index) => step !== b[index])
  // the steps alternate: container, branch, container, branch, node
  if (differs < 0 || differs % 2 === 1) return false
  const [first, second] = [places.get(a[differs]!), places.get(b[differs]!)]
  return first !== undefined && second !== undefined && first.index < second.index
}

/** Nodes at which people decide or do something. */
export const isForPeople = ({ kind }: Node): boolean => kind === 'approve' || kind === 'handle'

/** The steps for people that may come next after one, each with whether it comes on every way (false: a condition or a sister branch decides). */
export function nextSteps(process: ProcessDocument, nodeId: string): { node: Node; surely: boolean }[] {
  const places = placesOf(process)
  const found: { node: Node; surely: boolean }[] = []
  /** Answers whether no way leads past these steps. */
  const along = (nodes: readonly Node[], surely: boolean): boolean => {
    let sure = surely
    for (const node of nodes) {
      if (node.kind === 'end') return true
      if (isForPeople(node)) {
        found.push({ node, surely: sure })
        return true
      }
      if (!node.branches) continue
      const all = node.kind === 'parallel'
      const stopped = node.branches.map((branch) => along(branch.nodes, sure && all))
      if (all ? stopped.some(Boolean) : stopped.every(Boolean)) return true
      if (stopped.some(Boolean)) sure = false
    }
    return false
  }
  let surely = true
  for (let place = places.get(nodeId); place;) {
    if (along(place.siblings.slice(place.index + 1), surely)) break
    if (!place.within) break
    // sisters of a joined branch may still be under way
    if (place.within.container.kind !== 'condition') surely = false
    place = places.get(place.within.container.id)
  }
  return found
}
