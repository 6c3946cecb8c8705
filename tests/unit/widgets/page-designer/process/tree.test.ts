import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Node } from '../../../../../src/schema/generated/process'
import { layOut, nearestPlace } from '../../../../../src/widgets/page-designer/process/tree/layout'
import {
  ADDABLE,
  canRemove,
  canStand,
  copyOf,
  everyNode,
  findNode,
  keyOfPointer,
  newNode,
  sequenceAt,
  takenIds,
  withBranch,
  withMovedNode,
  withNode,
  withoutBranch,
  withoutNode,
  withShiftedBranch,
  withShiftedNode,
  type Place,
} from '../../../../../src/widgets/page-designer/process/tree/tree'

const EMPTY: readonly Node[] = [
  { id: 'start', kind: 'start' },
  { id: 'end', kind: 'end', result: 'agreed' },
]

/** A flow that grew by adding steps at random places. */
const grown = fc.array(fc.tuple(fc.constantFrom(...ADDABLE), fc.nat()), { maxLength: 24 }).map((steps) =>
  steps.reduce<readonly Node[]>((nodes, [kind, at]) => {
    const places = layOut(nodes).lines.flatMap(({ place }) => (place ? [place] : []))
    const place = places[at % places.length]
    return place ? withNode(nodes, place, newNode(kind, takenIds(nodes))) : nodes
  }, EMPTY),
)

describe('the tree of a flow', () => {
  it('keeps start first, end last and every id once, whatever is added, moved, copied or removed', () => {
    fc.assert(
      fc.property(grown, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(3)), { maxLength: 12 }), (begun, acts) => {
        let nodes = begun
        for (const [which, where, act] of acts) {
          const all = everyNode(nodes)
          const one = all[which % all.length]
          const places = layOut(nodes).lines.flatMap(({ place }) => (place ? [place] : []))
          const place = places[where % places.length]
          if (!one || !place) continue
          if (act === 0) nodes = withMovedNode(nodes, one.node.id, place)
          if (act === 1) nodes = withoutNode(nodes, one.node.id)
          if (act === 2) nodes = withShiftedNode(nodes, one.node.id, where % 2 === 0 ? 1 : -1)
          if (act === 3) nodes = withNode(nodes, place, copyOf(one.node, takenIds(nodes)))
        }
        expect(nodes[0]?.id).toBe('start')
        expect(nodes.at(-1)?.id).toBe('end')
        const ids = takenIds(nodes)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: 120 },
    )
  })

  it('moves a step with all that is below it, and never into itself', () => {
    const branching = newNode('condition', [])
    const nodes = withNode(withNode(EMPTY, { owner: null, index: 1 }, branching), { owner: null, index: 2 }, newNode('approve', []))
    const inside: Place = { owner: { node: 'condition', branch: 'branch' }, index: 0 }
    expect(withMovedNode(nodes, 'condition', inside)).toBe(nodes)
    const moved = withMovedNode(nodes, 'approve', inside)
    expect(findNode(moved, 'approve')?.owner).toEqual({ node: 'condition', branch: 'branch' })
    // at the edge of the branch it leaves it again
    const up = withShiftedNode(moved, 'approve', -1)
    expect(up.map(({ id }) => id)).toEqual(['start', 'approve', 'condition', 'end'])
    const down = withShiftedNode(moved, 'approve', 1)
    expect(down.map(({ id }) => id)).toEqual(['start', 'condition', 'approve', 'end'])
  })

  it('lets nothing stand before the start, behind the end, or behind the end of a branch', () => {
    const nodes = withNode(EMPTY, { owner: null, index: 1 }, newNode('condition', []))
    expect(canStand(nodes, { owner: null, index: 0 })).toBe(false)
    expect(canStand(nodes, { owner: null, index: 3 })).toBe(false)
    const owner = { node: 'condition', branch: 'branch' }
    const ended = withNode(nodes, { owner, index: 0 }, newNode('end', takenIds(nodes)))
    expect(sequenceAt(ended, owner)).toHaveLength(1)
    expect(canStand(ended, { owner, index: 1 })).toBe(false)
    expect(canRemove(ended, 'start')).toBe(false)
    expect(canRemove(ended, 'end')).toBe(false)
    expect(canRemove(ended, 'end2')).toBe(true)
  })

  it('keeps the default branch of a condition last, and two branches at least', () => {
    const nodes = withNode(EMPTY, { owner: null, index: 1 }, newNode('condition', []))
    const three = withBranch(nodes, 'condition', { zh: '中', en: 'Middle' })
    const ids = (of: readonly Node[]): string[] => findNode(of, 'condition')?.node.branches?.map(({ id }) => id) ?? []
    expect(ids(three)).toEqual(['branch', 'branch3', 'branch2'])
    expect(ids(withShiftedBranch(three, 'condition', 'branch', 1))).toEqual(['branch3', 'branch', 'branch2'])
    expect(ids(withShiftedBranch(three, 'condition', 'branch3', 1))).toEqual(ids(three))
    expect(ids(withShiftedBranch(three, 'condition', 'branch2', -1))).toEqual(ids(three))
    expect(ids(withoutBranch(three, 'condition', 'branch'))).toEqual(['branch3', 'branch2'])
    expect(withoutBranch(nodes, 'condition', 'branch')).toBe(nodes)
  })

  it('says of a pointer which step or branch it lies in', () => {
    const nodes = withNode(
      withNode(EMPTY, { owner: null, index: 1 }, newNode('condition', [])),
      { owner: { node: 'condition', branch: 'branch' }, index: 0 },
      newNode('approve', []),
    )
    const document = {
      formatVersion: 3 as const,
      name: 'x',
      label: { zh: 'x', en: 'x' },
      group: 'ops' as const,
      prefix: 'X',
      form: { fields: {} },
      nodes: [...nodes],
    }
    expect(keyOfPointer(document, '/nodes/1/branches/0/when')).toBe('condition/branch')
    expect(keyOfPointer(document, '/nodes/1/branches/0/nodes/0/assignees/0/role')).toBe('approve')
    expect(keyOfPointer(document, '/nodes/1')).toBe('condition')
    expect(keyOfPointer(document, '/form/fields/amount')).toBeNull()
  })
})

describe('the drawing of a flow', () => {
  it('draws every step once, no box over another, every line downwards', () => {
    fc.assert(
      fc.property(grown, (nodes) => {
        const { boxes, lines } = layOut(nodes)
        const steps = boxes.filter(({ kind }) => kind === 'step').map(({ id }) => id)
        expect(new Set(steps)).toEqual(new Set(everyNode(nodes).map(({ node }) => node.id)))
        expect(steps).toHaveLength(new Set(steps).size)
        for (const [index, a] of boxes.entries())
          for (const b of boxes.slice(index + 1)) {
            const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
            expect(apart, `${a.id} and ${b.id}`).toBe(true)
          }
        const byId = new Map(boxes.map((box) => [box.id, box]))
        for (const { from, to } of lines) {
          const [source, target] = [byId.get(from), byId.get(to)]
          expect(source && target && source.y + source.height <= target.y, `${from} above ${to}`).toBe(true)
        }
      }),
      { numRuns: 120 },
    )
  })

  it('offers a place on every line where a step can stand, and on no other', () => {
    fc.assert(
      fc.property(grown, (nodes) => {
        for (const { place } of layOut(nodes).lines) if (place) expect(canStand(nodes, place)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('leaves room for what was measured larger', () => {
    const nodes = withNode(EMPTY, { owner: null, index: 1 }, newNode('approve', []))
    const plain = layOut(nodes)
    const large = layOut(nodes, (id) => (id === 'approve' ? { width: 232, height: 172 } : undefined))
    expect(large.height - plain.height).toBe(100)
  })

  it('finds the place that a step is dropped on', () => {
    const nodes = withNode(EMPTY, { owner: null, index: 1 }, newNode('approve', []))
    const drawing = layOut(nodes)
    const approve = drawing.boxes.find(({ id }) => id === 'approve')
    const below = { x: (approve?.x ?? 0) + 116, y: (approve?.y ?? 0) + 100 }
    expect(nearestPlace(drawing, below, () => true)).toEqual({ owner: null, index: 2 })
    expect(nearestPlace(drawing, { x: 2_000, y: 0 }, () => true)).toBeNull()
  })
})
