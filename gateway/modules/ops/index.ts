/** Operations: work orders. */
import type { Verb } from '../../entities'
import type { GatewayModule } from '../module'

/** The time limit of a work order stood still while its supplier was waited for. */
const goOn: Verb = ({ now }, runs) => {
  for (const { subject } of runs) {
    const { slaDue, waitedSince } = subject.record
    if (typeof slaDue === 'string' && typeof waitedSince === 'string')
      subject.record.slaDue = new Date(Date.parse(slaDue) + now.getTime() - Date.parse(waitedSince)).toISOString()
    subject.record.waitedSince = null
  }
  return Promise.resolve()
}

/** Operations in the gateway. */
export const ops: GatewayModule = {
  services: ({ engine }) => {
    engine.registerVerb('ops.goOn', goOn)
    return {}
  },
}
