import { bankAccount, recordOf, type FinContext, type Given } from '../facts'
import { post, reverse } from '../ledger/post'
import { opening } from '../ledger/rules'

const WHAT = { zh: '银行期初', en: 'opening balance' }

/** `fin.openBank`: the opening balance of a bank account at go-live (money 1.3 `opening`): D account · C OPN, an overdraft the other way round. */
export async function openBank(fin: FinContext, given: Given): Promise<{ postingId: string }> {
  const document = await recordOf(fin, 'fin.bankOpening', given.needed('openingId'), WHAT)
  const bank = await bankAccount(fin, document.bankAccountId)
  const { postingId } = await post(fin, {
    type: 'opening',
    bizDate: document.day,
    companyEntityId: bank.companyEntityId,
    sourceType: 'opening',
    sourceId: document.id,
    sourceCode: document.code,
    idemKey: `opening:${document.id}:opening`,
    legs: opening(bank, document.amount),
  })
  await shown(fin, bank.id, { openingBalance: document.amount, openingOn: document.day })
  return { postingId }
}

/** `fin.closeBankOpening`: an opening balance that was wrong: its posting is mirrored, and the bank account has none any more. */
export async function closeBankOpening(fin: FinContext, given: Given): Promise<null> {
  const document = await recordOf(fin, 'fin.bankOpening', given.needed('openingId'), WHAT)
  await reverse(fin, document.postingId ?? '', given.needed('reason'))
  await shown(fin, document.bankAccountId, { openingBalance: null, openingOn: null })
  return null
}

const shown = ({ entities }: FinContext, bankAccountId: string, values: Record<string, unknown>): Promise<number> =>
  entities.changeMany('sys.bankAccount', new Map([[bankAccountId, values]]))
