import { toExact } from '../../../src/schema/formats'
import type { EntityRecord, HookContext, Verb, RecordOf } from '../../entities'
import { applicationOf, factsChanged, picked, storedLines, submitted, type Kind } from './applications'

const SPECIAL: Kind = {
  entity: 'qm.specialPrice',
  head: [
    'customerId',
    'accountId',
    'product',
    'sheetId',
    'reasonType',
    'reason',
    'competitor',
    'expectedVolume',
    'volumeUnit',
    'currency',
    'validFrom',
    'validTo',
    'lossAmount',
    'minMargin',
  ],
  line: ['floorPrice', 'limitPrice', 'currentPrice', 'applyPrice', 'approvedPrice', 'cost', 'margin', 'remark'],
}
const SHEET = 'qm.rateSheet'
const SHEET_LINE = 'qm.rateSheetLine'

/** A special price is applied for: the application, and its sheet, are in approval (quotes 1.11). */
export const applySpecial: Verb = async (hook, runs) => {
  const made: EntityRecord[] = []
  for (const { with: given } of runs) {
    const special = await submitted(hook, SPECIAL, given)
    const sheet = await sheetOf(hook, special)
    if (sheet?.status === 'draft') await hook.entities.transition(SHEET, sheet.id, 'submit', { approvalId: given.instanceId })
    made.push(special)
  }
  return made
}

/**
 * A special price is granted: the approved prices (the asked ones where nobody raised them) stand in the application and in its sheet,
 * which may be sent now (money 8.10).
 * @throws ServiceError 10060059 when the sheet says other prices than were applied for
 */
export const approveSpecial: Verb = async (hook, runs) => {
  const granted: EntityRecord[] = []
  for (const { with: given } of runs) {
    const special = await submitted(hook, SPECIAL, given)
    if (special.status !== 'inApproval') {
      granted.push(special)
      continue
    }
    const lines = await storedLines(hook, 'qm.specialPriceLine', 'specialPriceId', String(special.id))
    await hook.entities.save(SPECIAL.entity, {
      id: special.id,
      lines: lines.map(({ id, applyPrice, approvedPrice }) => ({ id, approvedPrice: approvedPrice ?? applyPrice })),
    })
    await grantInSheet(hook, special, lines)
    granted.push(await hook.entities.transition(SPECIAL.entity, String(special.id), 'approve'))
  }
  return granted
}

/** A special price is not granted, or not yet: the application says so, and its sheet can be changed again. */
export const endSpecial: Verb = async (hook, runs) => {
  const ended: EntityRecord[] = []
  for (const { with: given } of runs) {
    const special = await applicationOf(hook, SPECIAL.entity, given.instanceId)
    const transition = { returned: 'sendBack', rejected: 'reject', withdrawn: 'withdraw' }[String(given.result)]
    if (transition === undefined) throw new Error(`An application does not end as "${String(given.result)}".`)
    if (!special || special.status === given.result || special.status === 'approved') continue
    const note = picked({ decisionNote: typeof given.comment === 'string' ? given.comment.slice(0, 500) : null }, [
      'decisionNote',
    ])
    ended.push(await hook.entities.transition(SPECIAL.entity, String(special.id), transition, note))
    const sheet = await sheetOf(hook, special)
    if (sheet?.status === 'pendingApproval') await hook.entities.transition(SHEET, sheet.id, 'sendBack')
  }
  return ended
}

const sheetOf = async ({ entities }: HookContext, { sheetId }: EntityRecord): Promise<RecordOf<'qm.rateSheet'> | null> =>
  typeof sheetId === 'string' ? entities.find(SHEET, sheetId, { lock: true }) : null

async function grantInSheet(hook: HookContext, special: EntityRecord, lines: readonly EntityRecord[]): Promise<void> {
  const sheet = await sheetOf(hook, special)
  if (!sheet) return
  const inSheet = new Map((await storedLines(hook, SHEET_LINE, 'sheetId', sheet.id)).map((line) => [line.rateKey, line]))
  const changes = new Map<string, EntityRecord>()
  for (const { rateKey, applyPrice, approvedPrice } of lines) {
    const line = inSheet.get(String(rateKey))
    if (!line) continue
    if (!sameAmount(line.price, applyPrice))
      throw factsChanged({
        zh: `报价单 ${sheet.code} 中 ${String(rateKey)} 的单价已由 ${String(applyPrice)} 变为 ${line.price ?? '—'}，请退回后重新提交。`,
        en: `The price of ${String(rateKey)} in sheet ${sheet.code} is ${line.price ?? '—'} now, not ${String(applyPrice)}. Return the application and submit it again.`,
      })
    changes.set(line.id, { price: approvedPrice ?? applyPrice, specialPriceId: special.id, level: 'ok' })
  }
  await hook.entities.changeMany(SHEET_LINE, changes)
  if (['draft', 'pendingApproval'].includes(sheet.status)) await hook.entities.transition(SHEET, sheet.id, 'approve')
}

const sameAmount = (one: unknown, other: unknown): boolean => {
  const [a, b] = [toExact(one), toExact(other)]
  return a !== undefined && b !== undefined && a.eq(b)
}
