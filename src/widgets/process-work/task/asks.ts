import type { InstanceDetail, MyTask, PathNode, Pick, Text } from '../parts/types'

/** What a person is asked for before something is done to an application. */
export interface Ask {
  /** Name of the action: a value of agreeAction or rejectAction, or one of `actions`. */
  action: string
  /** Last part of the call below /v2/workflow/operate/. */
  call: 'agree' | 'reject' | 'transmit' | 'comment' | 'withdraw' | 'takeBack' | 'urge' | 'addSign' | 'admin'
  /** Which sentence says that it is done. */
  done: string
  danger: boolean
  comment: 'none' | 'optional' | 'required'
  /** Why an administrator does it; the same box as a comment, another word. */
  says: 'comment' | 'reason' | 'message'
  people?: 'one' | 'many' | 'mention'
  targets?: readonly { nodeId: string; name: Text }[]
  files: 'none' | 'optional' | 'required'
  sign: boolean
  picks: readonly Pick[]
  mode?: boolean
  /** The fields of the form travel along. */
  form: boolean
}

const PLAIN: Omit<Ask, 'action' | 'call' | 'done'> = {
  danger: false,
  comment: 'optional',
  says: 'comment',
  files: 'none',
  sign: false,
  picks: [],
  form: false,
}

/** A way to agree, or to say that the work is done. */
export const agreeAsk = (action: string, task: MyTask): Ask => ({
  ...PLAIN,
  action,
  call: 'agree',
  done: action === 'done' ? 'done' : 'agree',
  comment: task.needComment === 'always' ? 'required' : 'optional',
  files: task.needAttachment ? 'required' : 'optional',
  sign: task.needSign || action === 'agreeSign',
  picks: task.pick,
  form: true,
  ...(action === 'agreeTransmit'
    ? { people: 'one' }
    : ['agreeAddBefore', 'agreeAddAfter'].includes(action)
      ? { people: 'many' }
      : {}),
})

/** A way to reject or to return; a reason is always asked for unless the step says that none is needed. */
export const rejectAsk = (action: string, task: MyTask): Ask => ({
  ...PLAIN,
  action,
  call: 'reject',
  done: action === 'rejectEnd' ? 'reject' : 'return',
  danger: action === 'rejectEnd',
  comment: task.needComment === 'never' ? 'optional' : 'required',
  files: 'optional',
  ...(action === 'returnNode' ? { targets: task.returnTargets } : {}),
})

/** Steps at which people act, wherever they stand in the flow. */
export const peopleSteps = (nodes: readonly PathNode[]): { nodeId: string; name: Text }[] =>
  nodes.flatMap((node) => [
    ...(['approve', 'handle', 'start'].includes(node.kind) ? [{ nodeId: node.id, name: node.label }] : []),
    ...(node.branches ?? []).flatMap((branch) => peopleSteps(branch.nodes)),
  ])

/** Everything else that may be done; null for what opens a page or prints. */
export const otherAsk = (action: string, detail: InstanceDetail): Ask | null => {
  const admin = { call: 'admin', done: 'admin', comment: 'required', says: 'reason', danger: true } as const
  switch (action) {
    case 'transmit':
      return { ...PLAIN, action, call: 'transmit', done: 'transmit', people: 'one', mode: true }
    case 'comment':
      return { ...PLAIN, action, call: 'comment', done: 'comment', comment: 'required', people: 'mention', files: 'optional' }
    case 'addSign':
      return { ...PLAIN, action, call: 'addSign', done: 'addSign', people: 'many' }
    case 'withdraw':
      return { ...PLAIN, action, call: 'withdraw', done: 'withdraw', danger: true }
    case 'takeBack':
      return { ...PLAIN, action, call: 'takeBack', done: 'takeBack' }
    case 'urge':
      return { ...PLAIN, action, call: 'urge', done: 'urge', says: 'message' }
    case 'jump':
      return { ...PLAIN, ...admin, action, targets: peopleSteps(detail.path) }
    case 'reassign':
      return { ...PLAIN, ...admin, action, people: 'one' }
    case 'terminate':
      return { ...PLAIN, ...admin, action }
    case 'retryEffect':
      return { ...PLAIN, ...admin, action, comment: 'optional', danger: false, form: true }
    default:
      return null
  }
}
