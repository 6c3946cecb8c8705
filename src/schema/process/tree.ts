import { pointer } from '../diagnosis'
import type { Branch, Node, ProcessDocument } from '../generated/process'

/** The branches that a node lies in, the outermost first. */
export type Enclosing = readonly { node: Node; branch: Branch }[]

/** A node with where it stands. */
export interface NodePlace {
  node: Node
  /** JSON pointer into the document. */
  at: string
  within: Enclosing
  /** The sequence that it stands in, and its place there. */
  sequence: readonly Node[]
  index: number
}

/** Nodes below which documents are not looked through any more: hostile ones are told by the check, not followed. */
const DEEPEST = 40

function* placed(sequence: readonly Node[], at: string, within: Enclosing): Generator<NodePlace> {
  for (const [index, node] of sequence.entries()) {
    const here = pointer(at, index)
    yield { node, at: here, within, sequence, index }
    if (within.length >= DEEPEST) continue
    for (const [row, branch] of (node.branches ?? []).entries())
      yield* placed(branch.nodes, pointer(here, 'branches', row, 'nodes'), [...within, { node, branch }])
  }
}

/** Every node with its place, in the order of the document: a node before what lies in its branches. */
export const placesOf = ({ nodes }: Pick<ProcessDocument, 'nodes'>): Generator<NodePlace> => placed(nodes, '/nodes', [])

/** Every node, in the order of the document: a node before what lies in its branches. */
export function* walkNodes(process: Pick<ProcessDocument, 'nodes'>): Generator<Node> {
  for (const { node } of placesOf(process)) yield node
}

const placeOf = (process: Pick<ProcessDocument, 'nodes'>, id: string): NodePlace | undefined => {
  for (const place of placesOf(process)) if (place.node.id === id) return place
  return undefined
}

/** The node of an id, wherever it lies; ids are unique in a process. */
export const nodeById = (process: Pick<ProcessDocument, 'nodes'>, id: string): Node | undefined => placeOf(process, id)?.node

/** The innermost branch that a node lies in, with the node whose branch it is; undefined for one of the trunk. */
export const branchOf = (process: Pick<ProcessDocument, 'nodes'>, id: string): { node: Node; branch: Branch } | undefined =>
  placeOf(process, id)?.within.at(-1)

/**
 * What is surely passed on the way to a node, in that order: what stands before it and before the nodes whose branches it lies in, and those
 * nodes themselves. What lies in other branches is not among them.
 */
export function pathTo(process: Pick<ProcessDocument, 'nodes'>, id: string): Node[] {
  const place = placeOf(process, id)
  if (!place) return []
  const outer = place.within.flatMap(({ node }) => {
    const above = placeOf(process, node.id)
    return above ? [...above.sequence.slice(0, above.index), node] : []
  })
  return [...outer, ...place.sequence.slice(0, place.index)]
}

/** Whether people act on a node: it makes tasks and has rights of its own. */
export const isForPeople = ({ kind }: Pick<Node, 'kind'>): boolean => kind === 'approve' || kind === 'handle'

/** The node at which the form is filled in; undefined in a document that is wrong. */
export const startOf = ({ nodes }: Pick<ProcessDocument, 'nodes'>): Node | undefined =>
  nodes[0]?.kind === 'start' ? nodes[0] : undefined
