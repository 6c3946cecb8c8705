import { segmentsOf } from '../../../../src/schema/sms/segments'
import type { ModuleVerb } from '../../module'

/** `ops.countSegments`: how many segments the text of a template takes. */
export const verb: ModuleVerb = (_, runs) => {
  for (const { subject } of runs)
    subject.record.segments = segmentsOf(typeof subject.record.content === 'string' ? subject.record.content : '').segments
  return Promise.resolve()
}
