import type { Node } from '../../../src/schema/generated/process'
import { tolerantly } from './form'
import { readBy } from './reasons'
import type { Standing } from './standing'
import type { ReadValue } from './state'

/** Which branches of a node hold for the values of now, and what the condition that decided read. */
export async function branchesOf(standing: Standing, node: Node): Promise<{ taken: string[]; read?: ReadValue[] }> {
  const branches = node.branches ?? []
  if (node.kind === 'parallel') return { taken: branches.map(({ id }) => id) }
  const holds = await standing.form.records.evaluate(
    standing.call,
    standing.values,
    standing.named(),
    branches.map(({ when }) => (when === undefined ? undefined : tolerantly(when))),
  )
  const true_ = branches.filter(({ when }, index) => when !== undefined && Boolean(holds[index]))
  const usual = branches.filter(({ when }) => when === undefined)
  const taken = node.kind === 'condition' ? [...true_, ...usual].slice(0, 1) : true_.length > 0 ? true_ : usual
  const when = taken[0]?.when ?? branches.find(({ when }) => when !== undefined)?.when
  return { taken: taken.map(({ id }) => id), ...(when === undefined ? {} : { read: readBy(standing, when) }) }
}
