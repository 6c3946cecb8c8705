import type { EntityRecord } from '../../entities'
import type { Transaction } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import { startIn } from './start'
import type { FlowParts, InstanceRow } from './instance'

/**
 * Starts the process that decides about a record (`decides`), in the transaction of its transition: the applicant is whoever took it.
 * @param formData what the form asks beside the record
 */
export function startForRecord(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  about: { code: string; field: string; recordId: string; formData?: EntityRecord },
): Promise<InstanceRow> {
  const { code, field, recordId, formData = {} } = about
  return startIn(parts, tx, context, { code, formData: { ...formData, [field]: recordId }, bizId: recordId })
}
