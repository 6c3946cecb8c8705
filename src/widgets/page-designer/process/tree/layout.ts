import type { Branch, Node } from '../../../../schema/generated/process'
import { BRANCHING, branchKey, type Owner, type Place } from './tree'

export interface Size {
  width: number
  height: number
}

/** Something drawn: a step, the head of a branch, or the point where branches meet again. */
export interface Box extends Size {
  id: string
  /** Of the left upper corner. */
  x: number
  y: number
  kind: 'step' | 'branch' | 'join'
  node: Node
  /** Of the head of a branch. */
  branch?: Branch
  owner: Owner
  index: number
}

/** A line from one box down to another. */
export interface Line {
  id: string
  from: string
  to: string
  /** Where a step that is added on it stands; null: nothing can stand there. */
  place: Place | null
  /** Height at which it runs sideways: below the source where ways part, above the target where they meet. */
  bend: 'top' | 'bottom'
}

export interface Drawing extends Size {
  boxes: readonly Box[]
  lines: readonly Line[]
}

/** Pixels between what stands below each other, and between branches. */
export const GAP = { y: 52, x: 36, head: 40, join: 48 } as const
export const STEP: Size = { width: 232, height: 72 }
export const BRANCH: Size = { width: 196, height: 44 }
export const JOIN: Size = { width: 12, height: 12 }

/** What the branches of a step meet in. */
export const joinOf = (node: string): string => `${node}/`

interface Part extends Size {
  /** Distance of the line through its middle from its left side. */
  axis: number
}
interface Walk extends Part {
  put(x: number, y: number): void
  /** Box that leads on; null: it ends inside. */
  last: string | null
  first: string
}

/**
 * Where everything of a flow stands, from top to bottom with branches side by side, the whole as narrow as its boxes allow. Pure:
 * the same steps and sizes always give the same drawing.
 *
 * @param sizeOf what was measured of a box; undefined: not drawn yet
 */
export const layOut = (nodes: readonly Node[], sizeOf: (id: string) => Size | undefined = () => undefined): Drawing => {
  const boxes: Box[] = []
  const lines: Line[] = []

  const box = (id: string, kind: Box['kind'], base: Size, rest: Pick<Box, 'node' | 'branch' | 'owner' | 'index'>) => {
    const size = sizeOf(id) ?? base
    return { ...size, put: (x: number, y: number) => void boxes.push({ id, kind, ...rest, ...size, x: x - size.width / 2, y }) }
  }

  const sequence = (steps: readonly Node[], owner: Owner): (Part & { walks: Walk[]; put(x: number, y: number): void }) | null => {
    const walks = steps.map((node, index) => walkOf(node, owner, index))
    if (walks.length === 0) return null
    const axis = Math.max(...walks.map((walk) => walk.axis))
    const right = Math.max(...walks.map((walk) => walk.width - walk.axis))
    const height = walks.reduce((sum, walk) => sum + walk.height, 0) + GAP.y * (walks.length - 1)
    return {
      walks,
      axis,
      width: axis + right,
      height,
      put: (x, y) => {
        let top = y
        walks.forEach((walk, index) => {
          walk.put(x, top)
          top += walk.height + GAP.y
          const before = walks[index - 1]
          if (before?.last != null) lines.push(line(before.last, walk.first, { owner, index }, 'bottom'))
        })
      },
    }
  }

  const line = (from: string, to: string, place: Place | null, bend: Line['bend']): Line => ({
    id: `${from}>${to}`,
    from,
    to,
    place,
    bend,
  })

  const walkOf = (node: Node, owner: Owner, index: number): Walk => {
    const own = box(node.id, 'step', STEP, { node, owner, index })
    if (!BRANCHING.has(node.kind)) {
      return {
        width: own.width,
        height: own.height,
        axis: own.width / 2,
        first: node.id,
        last: node.kind === 'end' ? null : node.id,
        put: own.put,
      }
    }
    const ways = (node.branches ?? []).map((branch, position) => {
      const inside: Owner = { node: node.id, branch: branch.id }
      const head = box(branchKey(node.id, branch.id), 'branch', BRANCH, { node, branch, owner: inside, index: position })
      const steps = sequence(branch.nodes, inside)
      const axis = Math.max(head.width / 2, steps?.axis ?? 0)
      const right = Math.max(head.width / 2, steps ? steps.width - steps.axis : 0)
      return { branch, inside, head, steps, axis, width: axis + right, height: head.height + (steps ? GAP.y + steps.height : 0) }
    })
    const across = ways.reduce((sum, way) => sum + way.width, 0) + GAP.x * Math.max(0, ways.length - 1)
    // the step stands above the middle between the first and the last of its ways
    const [firstWay, lastWay] = [ways[0], ways.at(-1)]
    const middle = firstWay && lastWay ? (firstWay.axis + (across - lastWay.width + lastWay.axis)) / 2 : across / 2
    const axis = Math.max(middle, own.width / 2)
    const width = Math.max(across - middle, own.width / 2) + axis
    const deepest = Math.max(0, ...ways.map((way) => way.height))
    const join = joinOf(node.id)
    const meets = ways.some(({ steps }) => steps === null || steps.walks.at(-1)?.last !== null)
    return {
      width,
      axis,
      height: own.height + GAP.head + deepest + (meets ? GAP.join + JOIN.height : 0),
      first: node.id,
      last: meets ? join : null,
      put: (x, y) => {
        own.put(x, y)
        const top = y + own.height + GAP.head
        let left = x - middle
        for (const { branch, inside, head, steps, axis: here, width: wide } of ways) {
          const key = branchKey(node.id, branch.id)
          head.put(left + here, top)
          lines.push(line(node.id, key, null, 'top'))
          if (steps) {
            steps.put(left + here, top + head.height + GAP.y)
            const first = steps.walks[0]
            if (first) lines.push(line(key, first.first, { owner: inside, index: 0 }, 'bottom'))
          }
          const end = steps ? (steps.walks.at(-1)?.last ?? null) : key
          if (end !== null) lines.push(line(end, join, { owner: inside, index: branch.nodes.length }, 'bottom'))
          left += wide + GAP.x
        }
        if (meets) box(join, 'join', JOIN, { node, owner, index }).put(x, top + deepest + GAP.join)
      },
    }
  }

  const whole = sequence(nodes, null)
  whole?.put(whole.axis, 0)
  return { boxes, lines, width: whole?.width ?? 0, height: whole?.height ?? 0 }
}

/** The place whose line passes nearest to a point; null: none is within `reach` pixels. */
export const nearestPlace = (
  { boxes, lines }: Drawing,
  point: { x: number; y: number },
  allowed: (place: Place) => boolean,
  reach = 90,
): Place | null => {
  const byId = new Map(boxes.map((one) => [one.id, one]))
  let best: { place: Place; distance: number } | null = null
  for (const { from, place } of lines) {
    const source = byId.get(from)
    if (!place || !source || !allowed(place)) continue
    const at = addPoint(source)
    const distance = Math.hypot(at.x - point.x, at.y - point.y)
    if (distance <= reach && (!best || distance < best.distance)) best = { place, distance }
  }
  return best?.place ?? null
}

/** Distance of the button of a line from what it comes from. */
const ADD = 25

/** Where the button of a line stands: right below what it comes from. */
export const addPoint = (source: Box): { x: number; y: number } => ({
  x: source.x + source.width / 2,
  y: source.y + source.height + ADD,
})
