import type { EntityRecord, SaveHook } from '../../../entities'
import { batchService } from './batch'
import { recordsBy, text, valuesOf } from './sides'

type Calls = ReadonlyMap<string, EntityRecord>

const callsOf = async (hooks: readonly SaveHook[]): Promise<Calls> =>
  hooks[0] ? recordsBy(hooks[0], 'biz.callRecord', 'callId', valuesOf(hooks, 'callId')) : new Map()

/** What a record of signalling or of a call centre says of a call takes from that call whose it is. */
export const ofCallService = batchService<Calls>({
  read: callsOf,
  fill({ record }, calls) {
    const call = calls.get(text(record.callId))
    record.callRecordId = call?.id ?? null
    record.customerId = call?.customerId ?? record.customerId ?? null
    record.callee ??= call?.callee ?? null
  },
})
