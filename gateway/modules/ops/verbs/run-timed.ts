import type { ModuleVerb } from '../../module'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** `ops.runTimed`: a timed task does what it is for: a voice test, or its group call task unless that is under way. */
export const verb: ModuleVerb<'ops.voiceTimeTask'> = async ({ entities }, runs) => {
  for (const { subject } of runs) {
    const { kind, caller, callee, gatewayId, routePrefix, groupTaskId } = subject.record
    if (kind === 'group') {
      const refused = await entities.transitions('ops.groupCallTask', [text(groupTaskId)], 'start')
      if (refused.size > 0) subject.record.skipped = Number(subject.record.skipped ?? 0) + 1
      continue
    }
    const test = await entities.save('ops.voiceTest', { caller, callee, gatewayId, routePrefix, codec: 'g711a', repeat: 1 })
    await entities.transition('ops.voiceTest', text(test.id), 'dial')
  }
}
