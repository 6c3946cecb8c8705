import { diagnose, pointer } from '../diagnosis'
import type { Problem } from '../problem'

/** What a document may be at most; beyond this nothing else looks at it. */
export const HARD_LIMITS = {
  /** Characters of its text. */
  characters: 4 * 1024 * 1024,
  /** Values in it. */
  values: 200_000,
  /** How deep objects and lists may lie in one another. */
  depth: 100,
} as const

/** Keys that lead to prototypes when somebody copies an object carelessly. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Makes sure that a value is a plain JSON tree of bearable size, without running any code of it (getters, toJSON,
 * proxies that throw). The first thing that is not refuses the document.
 */
export const checkBounds = (value: unknown, where: string): Problem | undefined => {
  try {
    return walk(value, where)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    return diagnose(
      'invalid-shape',
      { where, at: '' },
      { zh: `文档无法读取：${reason}`, en: `The document cannot be read: ${reason}` },
    )
  }
}

interface Step {
  value: unknown
  at: string
  depth: number
  above: Above | null
}
/** The objects around a value, as a chain: a repetition in it is a circle. */
interface Above {
  object: object
  next: Above | null
}

function walk(root: unknown, where: string): Problem | undefined {
  const open: Step[] = [{ value: root, at: '', depth: 0, above: null }]
  let values = 0
  for (let step = open.pop(); step; step = open.pop()) {
    const { value, at, depth, above } = step
    values += 1
    const location = { where, at }
    if (values > HARD_LIMITS.values) {
      return diagnose(
        'too-large',
        { where, at: '' },
        { zh: `文档超过 ${HARD_LIMITS.values} 个值。`, en: `The document has more than ${HARD_LIMITS.values} values.` },
      )
    }
    if (value === null || typeof value === 'string' || typeof value === 'boolean') continue
    if (typeof value === 'number' && Number.isFinite(value)) continue
    if (typeof value === 'function') {
      return diagnose(
        'forbidden-code',
        location,
        { zh: '文档里不能有函数。', en: 'A document cannot hold a function.' },
        { value },
      )
    }
    if (typeof value !== 'object') {
      return diagnose(
        'invalid-shape',
        location,
        { zh: '这不是 JSON 的值。', en: 'This is not a value of JSON.' },
        { value: typeof value },
      )
    }
    if (depth > HARD_LIMITS.depth) {
      return diagnose('too-large', location, {
        zh: `嵌套超过 ${HARD_LIMITS.depth} 层。`,
        en: `It is nested deeper than ${HARD_LIMITS.depth} levels.`,
      })
    }
    for (let ring = above; ring; ring = ring.next) {
      if (ring.object === value)
        return diagnose('invalid-shape', location, { zh: '文档引用了自身。', en: 'The document refers to itself.' })
    }
    const problem = pushMembers(value, step, open, where)
    if (problem) return problem
  }
  return undefined
}

function pushMembers(value: object, { at, depth, above }: Step, open: Step[], where: string): Problem | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) {
    return diagnose('invalid-shape', { where, at }, { zh: '这不是普通的 JSON 对象。', en: 'This is not a plain object of JSON.' })
  }
  const ring = { object: value, next: above }
  for (const key of Reflect.ownKeys(value)) {
    if (key === 'length' && Array.isArray(value)) continue
    const inside = { where, at: pointer(at, String(key)) }
    if (typeof key === 'symbol' || PROTOTYPE_KEYS.has(key)) {
      return diagnose(
        'invalid-shape',
        inside,
        { zh: `不能使用键“${String(key)}”。`, en: `The key "${String(key)}" cannot be used.` },
        { value: String(key) },
      )
    }
    const descriptor = Object.getOwnPropertyDescriptor(value, key)
    if (!descriptor || !('value' in descriptor)) {
      return diagnose('invalid-shape', inside, { zh: '文档里不能有 getter。', en: 'A document cannot hold a getter.' })
    }
    open.push({ value: descriptor.value, at: inside.at, depth: depth + 1, above: ring })
  }
  return undefined
}
