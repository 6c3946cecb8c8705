import type { Node } from '../../../src/schema/generated/process'
import { ServiceError } from '../../platform/http'

const AGREE_DEFAULT = { approve: ['agree'], handle: ['done'] } as const
const REJECT_DEFAULT = { approve: ['rejectEnd', 'returnStart'], handle: ['returnStart'] } as const

/** Ways to agree and to reject that a step offers. */
export function waysOf(node: Node): { agree: string[]; reject: string[] } {
  const kind = node.kind === 'handle' ? 'handle' : 'approve'
  const agree = [
    ...new Set([
      ...AGREE_DEFAULT[kind],
      ...(node.agreeActions ?? []).filter(
        (way) =>
          (way === 'done') === (kind === 'handle') ||
          way === 'agreeTransmit' ||
          way === 'agreeAddAfter' ||
          way === 'agreeAddBefore',
      ),
    ]),
  ]
  const given: readonly string[] = node.rejectActions ?? REJECT_DEFAULT[kind]
  return {
    agree: [...new Set([...agree, ...(node.needSign || node.agreeActions?.includes('agreeSign') ? ['agreeSign'] : [])])].filter(
      (way) => kind === 'approve' || way !== 'agree',
    ),
    reject: given.filter((way) => kind !== 'handle' || way !== 'rejectEnd'),
  }
}

/** The refusal of what a step or an instance does not offer. */
export const notOffered = (): ServiceError =>
  new ServiceError('transitionRefused', { message: { zh: '当前节点没有这个操作。', en: 'This step does not offer that.' } })
