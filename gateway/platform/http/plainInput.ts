import type { FastifyInstance } from 'fastify'
import { ServiceError } from './serviceError'
import type { Text } from './text'

/** Deeper than anything that people or the portal write; whatever reads an input recursively stays far from its end. */
const DEEPEST = 100
/** More names in one object than any form, document or setting has. */
const MOST_NAMES = 5_000
/** More than the longest list that a call takes, which says its own limit. */
const MOST_ITEMS = 50_000
/** More values than a body of the largest size has when it is of use to anybody. */
const MOST_VALUES = 500_000
const HALF_PAIR = /\p{Surrogate}/u
const UNSTORABLE: Text = {
  zh: '含有无法保存的字符（空字符或不成对的代理字符）',
  en: 'holds characters that cannot be stored (NUL or half a surrogate pair)',
}
/** An object that holds one of these cannot become a text or JSON any more. */
const BREAKING = new Set(['toString', 'valueOf', 'toJSON'])
const UNNAMEABLE: Text = { zh: '含有不允许的属性名', en: 'holds a property of a name that is not allowed' }
const TOO_DEEP: Text = { zh: `嵌套超过 ${DEEPEST} 层`, en: `is nested more than ${DEEPEST} levels deep` }
const TOO_WIDE: Text = { zh: `的属性超过 ${MOST_NAMES} 个`, en: `has more than ${MOST_NAMES} properties` }
const TOO_LONG: Text = { zh: `超过 ${MOST_ITEMS} 项`, en: `has more than ${MOST_ITEMS} entries` }
const TOO_MANY: Text = { zh: `共含超过 ${MOST_VALUES} 个值`, en: `holds more than ${MOST_VALUES} values` }
const TOO_LARGE: Text = { zh: '数值过大', en: 'is too large a number' }

/** What no call can work with, in whatever field it stands: found by one look at address, query and body. */
export function refuseUnusableInput(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    for (const part of [request.params, request.query, request.body]) requireUsable(part)
  })
}

/** An object or list of an input, and the way to it. */
interface InputNode {
  readonly value: object
  readonly name: string
  readonly within: InputNode | null
  readonly depth: number
}

/**
 * Refuses (10010001) texts that PostgreSQL cannot keep, numbers beyond every range, bottomless nesting and more than anybody can read.
 * Goes on without recursion, because the depth is the caller's choice.
 */
export function requireUsable(input: unknown): void {
  const open: InputNode[] = []
  let values = 0
  const look = (value: unknown, name: string, within: InputNode | null): void => {
    if (typeof value === 'string') requireStorable(value, name, within)
    else if (typeof value === 'number' && !Number.isFinite(value)) throw refused(TOO_LARGE, name, within)
    else if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value))
      open.push({ value, name, within, depth: within ? within.depth + 1 : 0 })
  }
  look(input, '', null)
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.depth > DEEPEST) throw refused(TOO_DEEP, '', null)
    const parts = Object.entries(node.value)
    if (parts.length > MOST_NAMES && !Array.isArray(node.value)) throw refused(TOO_WIDE, node.name, node.within)
    if (parts.length > MOST_ITEMS) throw refused(TOO_LONG, node.name, node.within)
    if ((values += parts.length) > MOST_VALUES) throw refused(TOO_MANY, '', null)
    for (const [name, part] of parts) {
      requireStorable(name, '', node)
      if (BREAKING.has(name)) throw refused(UNNAMEABLE, name, node)
      look(part, name, node)
    }
  }
}

/** Whether an input that came inside another one (a cursor) can be worked with. */
export function isUsable(input: unknown): boolean {
  try {
    requireUsable(input)
    return true
  } catch {
    return false
  }
}

function requireStorable(text: string, name: string, within: InputNode | null): void {
  if (text.includes('\0') || HALF_PAIR.test(text)) throw refused(UNSTORABLE, name, within)
}

function refused(what: Text, name: string, within: InputNode | null): ServiceError {
  const names = [name]
  for (let node = within; node; node = node.within) names.unshift(node.name)
  const field = names.filter((part) => part !== '').join('.')
  const message = {
    zh: `请求的格式不正确：${[field, what.zh].filter(Boolean).join(' ')}`,
    en: `The shape of the request is not right: ${[field, what.en].filter(Boolean).join(' ')}`,
  }
  return new ServiceError('badRequest', { message, data: { errors: [{ ...(field && { field }), message: what.en }] } })
}
