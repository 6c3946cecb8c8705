import type { ModuleVerb } from '../../module'

/** `ops.goOn`: the time limit of a work order stood still while its supplier was waited for. */
export const verb: ModuleVerb = ({ now }, runs) => {
  for (const { subject } of runs) {
    const { slaDue, waitedSince } = subject.record
    if (typeof slaDue === 'string' && typeof waitedSince === 'string')
      subject.record.slaDue = new Date(Date.parse(slaDue) + now.getTime() - Date.parse(waitedSince)).toISOString()
    subject.record.waitedSince = null
  }
  return Promise.resolve()
}
