/** What a document went through, by the state that it came to. */
const ACTION_OF: Readonly<Record<string, string>> = {
  pending: 'submit',
  rejected: 'reject',
  withdrawn: 'withdraw',
  confirmed: 'confirm',
  partOrdered: 'order',
  ordered: 'order',
  partReceived: 'receive',
  received: 'receive',
  posted: 'post',
  reversed: 'reverse',
  closed: 'close',
  void: 'void',
  cancelled: 'void',
}

/**
 * The code (dictionary docAction) of a step from one state to another; without a step of the state it is an edit.
 * Back to a state that came before is told apart: a plan whose orders were taken back, an order that is revised.
 */
export function actionOf(from: string | null, to: string): string {
  if (from === null) return 'create'
  if (from === to) return 'edit'
  if (to === 'approved') return from === 'pending' ? 'approve' : 'order'
  if (to === 'draft') return from === 'pending' ? 'reject' : 'revise'
  if (to === 'confirmed' && from !== 'approved') return 'receive'
  return ACTION_OF[to] ?? 'edit'
}
