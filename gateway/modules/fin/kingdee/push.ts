import type { EntityRecord, OutsideVerb } from '../../../entities'
import { errorCodeOf, KingdeeRefuses, type KingdeeClient, type RemoteDocument } from './client'
import type { KingdeeForm } from './documents'
import type { KingdeeModel } from './payload'

const notConnected = (): never => {
  throw new Error('NET: KINGDEE_URL is not set')
}

/** What is kept of a document after it was asked about. */
const answer = (found: Partial<RemoteDocument> | null, attempt: number, refusal?: string): EntityRecord => ({
  kingdeeId: found?.kingdeeId ?? null,
  kingdeeNo: found?.kingdeeNo ?? null,
  remoteStatus: found?.remoteStatus ?? null,
  errorCode: refusal === undefined ? null : errorCodeOf(refusal),
  lastError: refusal === undefined ? null : refusal.slice(0, 500),
  attempts: attempt,
  nextAttemptAt: null,
})

/**
 * `fin.kingdeePush`: save, submit and audit, each a call of its own. Our number is looked up first, so that a document whose answer was
 * lost is gone on with and never made twice. Throws for NET and AUTH alone, which the outbox asks again; what Kingdee refuses is kept
 * on the document in its words, with how far it came.
 */
export const pushDocument =
  (client: KingdeeClient | undefined): OutsideVerb =>
  async ({ with: { formId, code, payload }, attempt, signal }) => {
    const kingdee = client ?? notConnected()
    const form = String(formId) as KingdeeForm
    let found: RemoteDocument | null = null
    try {
      found = await kingdee.find(form, String(code), signal)
      found ??= { ...(await kingdee.save(form, payload as KingdeeModel, signal)), remoteStatus: 'A' }
      if (found.remoteStatus === 'A' || found.remoteStatus === 'Z' || found.remoteStatus === 'D') {
        await kingdee.submit(form, found.kingdeeNo, signal)
        found.remoteStatus = 'B'
      }
      if (found.remoteStatus === 'B') {
        await kingdee.audit(form, found.kingdeeNo, signal)
        found.remoteStatus = 'C'
      }
      return answer(found, attempt)
    } catch (error) {
      if (!(error instanceof KingdeeRefuses)) throw error
      return answer(found, attempt, error.message)
    }
  }

/** `fin.kingdeeLook`: what a document is at in Kingdee now. */
export const lookAtDocument =
  (client: KingdeeClient | undefined): OutsideVerb =>
  async ({ with: { formId, code }, attempt, signal }) => {
    const found = await (client ?? notConnected()).find(String(formId) as KingdeeForm, String(code), signal)
    return found ? answer(found, attempt) : answer(null, attempt, '金蝶中没有该单号 / Kingdee has no document of this number')
  }
