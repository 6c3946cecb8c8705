import { checkBounds } from '../../../src/schema/validate/bounds'
import { isForbiddenStep, splitAddress, type Change } from '../../../src/schema/overlay'
import { ServiceError } from '../../platform/http'

const LONGEST_ADDRESS = 1_000
const MOST_ORDERED = 5_000
const EFFECTS = ['set', 'remove', 'add', 'order'] as const

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST_ADDRESS

/** Says what is wrong with one change; a draft that cannot even be laid over a document would stop every look at it. */
function faultOf(change: object): { zh: string; en: string } | undefined {
  const given: Readonly<Record<string, unknown>> = { ...change }
  if (!isText(given.at)) return { zh: 'at 须为文本地址', en: 'at has to be an address' }
  if ([...splitAddress(given.at), ...(typeof given.id === 'string' ? [given.id] : [])].some(isForbiddenStep))
    return {
      zh: 'at 不能经过 __proto__、constructor 或 prototype',
      en: 'no address leads over __proto__, constructor or prototype',
    }
  if (EFFECTS.filter((effect) => effect in given).length !== 1) {
    return { zh: 'set、remove、add、order 须恰好有一个', en: 'exactly one of set, remove, add and order has to be given' }
  }
  if ('remove' in given && given.remove !== true) return { zh: 'remove 须为 true', en: 'remove has to be true' }
  if ('add' in given && !(given.id === undefined || isText(given.id))) return { zh: 'id 须为文本', en: 'id has to be a text' }
  if ('add' in given && !(given.after === undefined || given.after === null || isText(given.after)))
    return { zh: 'after 须为文本或 null', en: 'after has to be a text or null' }
  if ('order' in given) {
    const { order } = given
    if (!Array.isArray(order) || order.length > MOST_ORDERED || !order.every(isText))
      return { zh: 'order 须为标识的列表', en: 'order has to be a list of ids' }
  }
  return undefined
}

/**
 * Makes sure that what came in are changes: a plain tree of bearable size and depth, each with an address and one effect.
 * @throws ServiceError 10010001 that names the first one that is not
 */
export function requireChanges(changes: readonly Change[]): void {
  const problem = checkBounds(changes, 'changes')
  if (problem) throw refused(problem.at, problem.message)
  for (const [index, change] of changes.entries()) {
    const fault = faultOf(change)
    if (fault) throw refused(`/${index}`, fault)
  }
}

const refused = (at: string, { zh, en }: { zh: string; en: string }): ServiceError =>
  new ServiceError('badRequest', {
    message: { zh: `变更 ${at} 不能使用：${zh}`, en: `The change ${at} cannot be used: ${en}` },
    data: { errors: [{ field: `changes${at}`, message: en }] },
  })
