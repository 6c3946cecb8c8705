import { diagnose } from '../../../src/schema/diagnosis'
import { applyChanges } from '../../../src/schema/overlay'
import { checkShape } from '../../../src/schema/validate/shape'
import type { Overlay } from './compose'
import type { Fault } from './isolate'
import { parseTarget } from './target'

/**
 * Why a document cannot even be read with the changes of an overlay (null where a list has to be): what differs from the shape of such a
 * document, or the fault that reading it made.
 * @param base what the changes are laid over, and where it stands
 * @param reason what reading it said
 */
export function unreadableFaults(overlay: Overlay, base: { where: string; value: unknown }, reason: unknown): Fault[] {
  const { target, role, changes } = overlay
  const kind = parseTarget(target)?.kind
  const wrong = kind ? checkShape(kind, applyChanges(base.value, changes).document, base.where) : []
  const told = reason instanceof Error ? reason.message : String(reason)
  const said = { zh: `文档无法读取：${told}`, en: `The document cannot be read: ${told}` }
  const problems = wrong.length > 0 ? wrong : [diagnose('invalid-shape', { where: base.where, at: '' }, said)]
  return problems.map((problem) => ({ problem, unreadable: true, ...(role === '' ? {} : { variant: overlay }) }))
}
