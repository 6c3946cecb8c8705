/** Code that may hide in a form schema: Formily would run it, the portal never does. */
import type { BilingualText } from '../problem'

export interface ForbiddenCode {
  /** JSON pointer into the schema. */
  at: string
  value: unknown
  message: BilingualText
}

const MOST_LEVELS = 100
/** Keys whose texts Formily runs as code, by the key of the object around them. */
const RUNNERS = new Set(['fulfill', 'otherwise'])

/**
 * Everything in a form schema that is code: `fulfill.run`, `otherwise.run`, `effects` with anything but names of effects,
 * functions anywhere, and `{{ function... }}` texts. Empty when the schema is only data.
 */
export function findForbidden(schema: unknown): ForbiddenCode[] {
  const found: ForbiddenCode[] = []
  walk(schema, '', '', found, new Set(), 0)
  return found
}

function walk(value: unknown, at: string, key: string, found: ForbiddenCode[], above: Set<object>, level: number): void {
  if (typeof value === 'function') {
    found.push({
      at,
      value: 'function',
      message: say('这里是函数，页面配置只能是数据。', 'This is a function; a schema is data only.'),
    })
    return
  }
  if (typeof value === 'string') {
    if (/^\s*\{\{\s*(?:async\b|function\b|\(?[\w$,\s]*\)?\s*=>)/.test(value.slice(0, 200))) {
      found.push({ at, value: value.slice(0, 80), message: say('表达式不能是函数。', 'An expression cannot be a function.') })
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (above.has(value) || level > MOST_LEVELS) {
    found.push({
      at,
      value: key,
      message: say('配置嵌套过深或自我引用。', 'The schema is nested too deeply or refers to itself.'),
    })
    return
  }
  above.add(value)
  for (const [name, child] of Object.entries(value)) {
    const pointer = `${at}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`
    if (name === 'run' && RUNNERS.has(key)) {
      const message = say(
        '不支持 run 代码，请用 state 或 schema 描述联动。',
        'run holds code and is not supported: describe the linkage with state or schema.',
      )
      found.push({ at: pointer, value: typeof child === 'string' ? child.slice(0, 80) : typeof child, message })
    } else if (name === 'effects' && key !== 'properties' && !isEffectNames(child) && typeof child !== 'function') {
      const message = say('effects 只能是触发时机的名称列表。', 'effects may only list the names of moments.')
      found.push({ at: pointer, value: typeof child, message })
    } else walk(child, pointer, name, found, above, level + 1)
  }
  above.delete(value)
}

function isEffectNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && /^on[A-Z][A-Za-z]*$/.test(name))
}

function say(zh: string, en: string): BilingualText {
  return { zh, en }
}
