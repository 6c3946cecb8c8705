import type { Branch, Node, ProcessDocument } from '../../../../schema/generated/process'
import { freeId } from '../../document/items'

export type NodeKind = Node['kind']

/** A sequence of steps: that of the process (null), or that of a branch. */
export type Owner = { node: string; branch: string } | null

/** Where a step can stand: before the step with this index of a sequence. */
export interface Place {
  owner: Owner
  index: number
}

/** A step with where it stands. */
export interface Found extends Place {
  node: Node
}

/** Kinds that lead into branches. */
export const BRANCHING: ReadonlySet<NodeKind> = new Set(['condition', 'inclusive', 'parallel'])

/** Kinds that can be added; start and end are there from the beginning, a branch may end with an end of its own. */
export const ADDABLE = [
  ...(['approve', 'handle', 'cc', 'condition', 'inclusive', 'parallel'] as const),
  ...(['service', 'notify', 'delay', 'subProcess', 'end'] as const),
] as const

/** The key of a branch on the canvas: ids of branches are unique within their step only. */
export const branchKey = (node: string, branch: string): string => `${node}/${branch}`

/** Every step with where it stands, in the order in which one reads them. */
export const everyNode = (nodes: readonly Node[], owner: Owner = null): Found[] =>
  nodes.flatMap((node, index) => [
    { node, owner, index },
    ...(node.branches ?? []).flatMap((branch) => everyNode(branch.nodes, { node: node.id, branch: branch.id })),
  ])

export const findNode = (nodes: readonly Node[], id: string): Found | undefined =>
  everyNode(nodes).find(({ node }) => node.id === id)

/** Ids of all steps and branches. */
export const takenIds = (nodes: readonly Node[]): string[] =>
  everyNode(nodes).flatMap(({ node }) => [node.id, ...(node.branches ?? []).map(({ id }) => id)])

/** The steps of a sequence; undefined when it is gone. */
export const sequenceAt = (nodes: readonly Node[], owner: Owner): readonly Node[] | undefined =>
  owner === null ? nodes : findNode(nodes, owner.node)?.node.branches?.find(({ id }) => id === owner.branch)?.nodes

/** The steps with one sequence changed; steps that it does not concern stay the same objects. */
const withSequence = (nodes: readonly Node[], owner: Owner, change: (sequence: readonly Node[]) => readonly Node[]): Node[] => {
  if (owner === null) return [...change(nodes)]
  return withNodes(nodes, (node) => {
    if (node.id !== owner.node || !node.branches) return node
    return {
      ...node,
      branches: node.branches.map((branch) =>
        branch.id === owner.branch ? { ...branch, nodes: [...change(branch.nodes)] } : branch,
      ),
    }
  })
}

/** Every step replaced by what `change` makes of it, outer ones first; what does not change stays the same object. */
const withNodes = (nodes: readonly Node[], change: (node: Node) => Node): Node[] => {
  const next = nodes.map((before) => {
    const node = change(before)
    if (!node.branches) return node
    const branches = node.branches.map((branch): Branch => {
      const inner = withNodes(branch.nodes, change)
      return inner.every((one, index) => one === branch.nodes[index]) && inner.length === branch.nodes.length
        ? branch
        : { ...branch, nodes: inner }
    })
    return branches.every((branch, index) => branch === node.branches?.[index]) ? node : { ...node, branches }
  })
  return next
}

/** A step or a branch can stand there: nothing before the start, behind the end, or behind an end of a branch. */
export const canStand = (nodes: readonly Node[], { owner, index }: Place): boolean => {
  const sequence = sequenceAt(nodes, owner)
  if (!sequence || index < 0 || index > sequence.length) return false
  if (owner === null) return index > 0 && index < sequence.length
  return sequence[index - 1]?.kind !== 'end'
}

/** With a step at a place; unchanged where nothing can stand. */
export const withNode = (nodes: readonly Node[], place: Place, node: Node): readonly Node[] =>
  canStand(nodes, place) ? withSequence(nodes, place.owner, (sequence) => sequence.toSpliced(place.index, 0, node)) : nodes

/** Start and the last end hold the process together. */
export const canRemove = (nodes: readonly Node[], id: string): boolean => {
  const found = findNode(nodes, id)
  return found !== undefined && (found.owner !== null || (found.index > 0 && found.index < nodes.length - 1))
}

export const withoutNode = (nodes: readonly Node[], id: string): readonly Node[] => {
  const found = findNode(nodes, id)
  return found && canRemove(nodes, id)
    ? withSequence(nodes, found.owner, (sequence) => sequence.toSpliced(found.index, 1))
    : nodes
}

/** With a step changed by `change`. */
export const withChangedNode = (nodes: readonly Node[], id: string, change: (node: Node) => Node): Node[] =>
  withNodes(nodes, (node) => (node.id === id ? change(node) : node))

const isInside = (node: Node, owner: Owner): boolean =>
  owner !== null &&
  (node.id === owner.node ||
    everyNode((node.branches ?? []).flatMap(({ nodes }) => nodes)).some((inner) => inner.node.id === owner.node))

/** With a step at another place; unchanged where it cannot stand, e.g. in a branch of its own. */
export const withMovedNode = (nodes: readonly Node[], id: string, to: Place): readonly Node[] => {
  const found = findNode(nodes, id)
  if (!found || !canRemove(nodes, id) || isInside(found.node, to.owner) || !canStand(nodes, to)) return nodes
  const same = found.owner?.node === to.owner?.node && found.owner?.branch === to.owner?.branch
  if (same && (to.index === found.index || to.index === found.index + 1)) return nodes
  const index = same && to.index > found.index ? to.index - 1 : to.index
  return withNode(withoutNode(nodes, id), { owner: to.owner, index }, found.node)
}

/** One place further up or down; at the edge of a branch it leaves the branch. */
export const withShiftedNode = (nodes: readonly Node[], id: string, by: 1 | -1): readonly Node[] => {
  const found = findNode(nodes, id)
  if (!found) return nodes
  const { owner, index } = found
  const sequence = sequenceAt(nodes, owner) ?? []
  const beyond = index + by
  if (beyond >= 0 && beyond < sequence.length) return withMovedNode(nodes, id, { owner, index: by < 0 ? index - 1 : index + 2 })
  const around = owner && findNode(nodes, owner.node)
  return around ? withMovedNode(nodes, id, { owner: around.owner, index: by < 0 ? around.index : around.index + 1 }) : nodes
}

/** A copy of a step with everything below it, under ids that are free. */
export const copyOf = (node: Node, taken: readonly string[]): Node => {
  const used = [...taken]
  const free = (id: string): string => {
    const next = freeId(id.replace(/\d+$/, '') || id, used)
    used.push(next)
    return next
  }
  const copied = (one: Node): Node => ({
    ...one,
    id: free(one.id),
    ...(one.branches
      ? { branches: one.branches.map((branch) => ({ ...branch, id: free(branch.id), nodes: branch.nodes.map(copied) })) }
      : {}),
  })
  return copied(node)
}

/** A branch with nothing in it. */
export const newBranch = (taken: readonly string[], label?: Branch['label']): Branch => ({
  id: freeId('branch', taken),
  ...(label ? { label } : {}),
  nodes: [],
})

const LABELS: Readonly<Partial<Record<NodeKind, { zh: string; en: string }>>> = {
  approve: { zh: '审批', en: 'Approval' },
  handle: { zh: '办理', en: 'Work' },
  cc: { zh: '抄送', en: 'Copy' },
  condition: { zh: '条件分支', en: 'Branch by condition' },
  inclusive: { zh: '包容分支', en: 'All branches that hold' },
  parallel: { zh: '并行分支', en: 'Parallel branches' },
  service: { zh: '自动执行', en: 'Automatic step' },
  notify: { zh: '通知', en: 'Notice' },
  delay: { zh: '等待', en: 'Wait' },
  subProcess: { zh: '子流程', en: 'Sub-process' },
  end: { zh: '结束', en: 'End' },
}

/** A new step that says as much as its kind needs to be drawn; what is missing is marked. */
export const newNode = (kind: NodeKind, taken: readonly string[]): Node => {
  const id = freeId(kind, taken)
  const label = LABELS[kind]
  const base: Node = { id, kind, ...(label ? { label } : {}) }
  switch (kind) {
    case 'approve':
    case 'handle':
      return { ...base, assignees: [{ rule: 'deptLeader', level: 1 }] }
    case 'cc':
      return { ...base, assignees: [{ rule: 'applicant' }] }
    case 'condition': {
      const first = newBranch([...taken, id], { zh: '条件 1', en: 'Condition 1' })
      return { ...base, branches: [first, newBranch([...taken, id, first.id], { zh: '其他情况', en: 'Otherwise' })] }
    }
    case 'inclusive':
    case 'parallel': {
      const first = newBranch([...taken, id], { zh: '分支 1', en: 'Branch 1' })
      return { ...base, branches: [first, newBranch([...taken, id, first.id], { zh: '分支 2', en: 'Branch 2' })] }
    }
    case 'delay':
      return { ...base, hours: 24 }
    case 'end':
      return { ...base, result: 'rejected' }
    case 'service':
      return { ...base, phase: 'effect' }
    default:
      return base
  }
}

/** With a branch more, before the default branch of a condition, which stays the last. */
export const withBranch = (nodes: readonly Node[], id: string, label: Branch['label']): Node[] =>
  withChangedNode(nodes, id, (node) => {
    const branches = node.branches ?? []
    const at = node.kind === 'condition' ? Math.max(0, branches.length - 1) : branches.length
    return { ...node, branches: branches.toSpliced(at, 0, newBranch(takenIds(nodes), label)) }
  })

/** Fewer than two branches are none. */
export const canRemoveBranch = (nodes: readonly Node[], id: string): boolean =>
  (findNode(nodes, id)?.node.branches?.length ?? 0) > 2

export const withoutBranch = (nodes: readonly Node[], id: string, branch: string): readonly Node[] =>
  canRemoveBranch(nodes, id)
    ? withChangedNode(nodes, id, (node) => ({ ...node, branches: (node.branches ?? []).filter((one) => one.id !== branch) }))
    : nodes

/** One branch further left or right: the order in which conditions are asked. The default branch of a condition stays the last. */
export const withShiftedBranch = (nodes: readonly Node[], id: string, branch: string, by: 1 | -1): readonly Node[] =>
  withChangedNode(nodes, id, (node) => {
    const branches = node.branches ?? []
    const from = branches.findIndex((one) => one.id === branch)
    const to = from + by
    const most = node.kind === 'condition' ? branches.length - 2 : branches.length - 1
    const moved = branches[from]
    if (!moved || from > most || to < 0 || to > most) return node
    return { ...node, branches: branches.toSpliced(from, 1).toSpliced(to, 0, moved) }
  })

/** With a branch changed by `change`. */
export const withChangedBranch = (
  nodes: readonly Node[],
  id: string,
  branch: string,
  change: (branch: Branch) => Branch,
): Node[] =>
  withChangedNode(nodes, id, (node) => ({
    ...node,
    branches: (node.branches ?? []).map((one) => (one.id === branch ? change(one) : one)),
  }))

/** The step or branch (`step/branch`) that a JSON pointer into the document lies in; null: none, it is about the process itself. */
export const keyOfPointer = (document: ProcessDocument, pointer: string): string | null => {
  let key: string | null = null
  let value: unknown = document
  let node: string | null = null
  for (const step of pointer.split('/').slice(1)) {
    const before: unknown = value
    value = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[step] : undefined
    if (!Array.isArray(before) || typeof value !== 'object' || value === null) continue
    const { id, kind, nodes } = value as { id?: unknown; kind?: unknown; nodes?: unknown }
    if (typeof id !== 'string') continue
    if (typeof kind === 'string') key = node = id
    else if (Array.isArray(nodes) && node !== null) key = branchKey(node, id)
  }
  return pointer.startsWith('/nodes') ? key : null
}

/** The address of a step in the document: positions, as nothing but the order tells branches apart. */
export const addressOfNode = (nodes: readonly Node[], id: string): string => {
  const found = findNode(nodes, id)
  if (!found) return 'nodes'
  const { owner, index } = found
  return owner === null ? `nodes/${index}` : `${addressOfBranch(nodes, owner.node, owner.branch)}/nodes/${index}`
}

/** The address of a branch in the document. */
export const addressOfBranch = (nodes: readonly Node[], node: string, branch: string): string => {
  const position = findNode(nodes, node)?.node.branches?.findIndex(({ id }) => id === branch) ?? -1
  return `${addressOfNode(nodes, node)}/branches/${position}`
}
