import type { EntityRecord, RecordOf, GivenOf } from '../../../entities'
import type { ModuleVerb } from '../../module'

const TRANSFER = 'srm.accountTransfer'
/** What the end of an application is for its document. */
const ENDS: Readonly<Record<string, string>> = { agreed: 'agree', rejected: 'turnDown', withdrawn: 'abandon' }

/**
 * `srm.accountTransfer`: an application for a transfer of accounts (`instanceId`, `step`) has its document from its start, so that the accounts are held and everybody sees
 * it; what was changed after a return is taken over, and its end schedules the document or lets the accounts go.
 */
export const verb: ModuleVerb = async ({ entities }, runs) => {
  const documents: RecordOf<'srm.accountTransfer'>[] = []
  for (const { with: given } of runs) {
    const instanceId = String(given.instanceId)
    const [known] = await entities.list(TRANSFER, {
      where: [{ field: 'instanceId', operator: 'eq', value: instanceId }],
      limit: 1,
    })
    const step = String(given.step)
    if (known && known.status !== 'pending') {
      documents.push(known)
      continue
    }
    if (known && ENDS[step] !== undefined && step !== 'agreed') {
      documents.push(await entities.transition(TRANSFER, known.id, ENDS[step]))
      continue
    }
    const document = known && same(known, given) ? known : await filed(given, instanceId, known ?? null)
    documents.push(step === 'agreed' ? await entities.transition(TRANSFER, document.id, 'agree') : document)
  }
  return documents

  async function filed(
    given: EntityRecord,
    instanceId: string,
    before: RecordOf<'srm.accountTransfer'> | null,
  ): Promise<RecordOf<'srm.accountTransfer'>> {
    if (before) await entities.transition(TRANSFER, before.id, 'abandon')
    if (before) await entities.save(TRANSFER, { id: before.id, instanceId: null })
    const {
      fromSupplierId,
      toSupplierId,
      accountIds,
      cutoverAt,
      balanceMode,
      rateMode,
      rateSheetCode,
      reason,
      explanation,
      ownerId,
    } = given as GivenOf<typeof TRANSFER>
    const document = await entities.save(TRANSFER, {
      ...{ fromSupplierId, toSupplierId, accountIds, cutoverAt, balanceMode, rateMode, reason, explanation, ownerId, instanceId },
      ...(rateMode === 'newSheet' ? { rateSheetCode } : {}),
    })
    return entities.transition(TRANSFER, document.id, 'file')
  }
}

/** Whether the form still says what the document says. */
const same = (document: RecordOf<'srm.accountTransfer'>, given: EntityRecord): boolean =>
  (['fromSupplierId', 'toSupplierId', 'accountIds', 'balanceMode', 'rateMode'] as const).every(
    (name) => JSON.stringify(document[name]) === JSON.stringify(given[name]),
  ) && Date.parse(document.cutoverAt) === Date.parse(String(given.cutoverAt))
