import type { EntityRecord, RecordOf, GivenOf } from '../../../entities'
import type { ModuleVerb } from '../../module'

const TRANSFER = 'srm.supplierTransfer'
/** What the end of an application is for its document. */
const ENDS: Readonly<Record<string, string>> = { agreed: 'agree', rejected: 'turnDown', withdrawn: 'abandon' }

/**
 * `srm.supplierTransfer`: an application for the transfer of a whole supplier (`instanceId`, `step`) has its document from its start; what was changed after a return is
 * taken over when it is agreed to.
 */
export const verb: ModuleVerb = async ({ entities }, runs) => {
  const documents: RecordOf<'srm.supplierTransfer'>[] = []
  for (const { with: given } of runs) {
    const instanceId = String(given.instanceId)
    const [known] = await entities.list(TRANSFER, {
      where: [{ field: 'instanceId', operator: 'eq', value: instanceId }],
      limit: 1,
    })
    const step = ENDS[String(given.step)]
    if (known && known.status !== 'pending') {
      documents.push(known)
      continue
    }
    const document = known ? await follow(known, given) : await filed(given, instanceId)
    documents.push(step === undefined ? document : await entities.transition(TRANSFER, document.id, step))
  }
  return documents

  async function filed(given: EntityRecord, instanceId: string): Promise<RecordOf<'srm.supplierTransfer'>> {
    const { fromSupplierId, toSupplierId, ownerId } = given as GivenOf<typeof TRANSFER>
    const document = await entities.save(TRANSFER, { ...said(given), fromSupplierId, toSupplierId, ownerId, instanceId })
    return entities.transition(TRANSFER, document.id, 'file')
  }

  async function follow(
    document: RecordOf<'srm.supplierTransfer'>,
    given: EntityRecord,
  ): Promise<RecordOf<'srm.supplierTransfer'>> {
    await entities.changeMany(TRANSFER, new Map([[document.id, said(given)]]))
    return document
  }
}

/** What the form says of the transfer; the balance of each account as its row says. The evidence stays with the application. */
function said({ kind, cutoverAt, balances, explanation }: EntityRecord): EntityRecord {
  const rows = Array.isArray(balances) ? (balances as readonly EntityRecord[]) : []
  const handling = Object.fromEntries(rows.map(({ accountId, handling: mode }) => [String(accountId), mode]))
  return {
    ...{ kind, cutoverAt, explanation, handling },
    ...{ balanceMode: 'move', rateHandling: 'move', contactHandling: 'move', billHandling: 'leave' },
  }
}
