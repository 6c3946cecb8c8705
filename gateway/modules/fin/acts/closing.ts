import { Exact, exactText } from '../../../../src/schema/formats'
import type { RecordOf } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import { positionOf } from '../bills/agree'
import { finalBill } from '../bills/books'
import { customerAccount, recordOf, todayOf, type FinContext, type Given } from '../facts'
import { text } from './creditRecord'

/** `fin.closeAccount`: an account with nothing on it ends (money 4.1); its transition `close` checks that. */
export async function closeAccount(fin: FinContext, given: Given): Promise<RecordOf<'fin.customerAccount'>> {
  const id = given.needed('accountId')
  const record = await recordOf(fin, 'fin.customerAccount', id, { zh: '客户账户', en: 'customer account' })
  if (record.status === 'closed') return record
  return fin.entities.transition('fin.customerAccount', id, 'close', {})
}

/**
 * `fin.checkClosing`: an account that is closed has its last bill first, through today. @throws ServiceError 10060059 for one with money, with open bills, or with
 * consumption on none
 */
export async function checkClosing(fin: FinContext, given: Given): Promise<null> {
  const id = given.needed('accountId')
  const account = await customerAccount(fin, id)
  const before = await positionOf(fin.tx, id)
  await finalBill(fin, account, todayOf(fin, account.record))
  const { mode, free, owed } = await positionOf(fin.tx, id)
  const open = await fin.entities.count('fin.bill', [
    { field: 'accountId', operator: 'eq', value: id },
    { field: 'openAmount', operator: 'ne', value: '0' },
    { field: 'status', operator: 'in', value: ['draft', 'checking', 'issued', 'partPaid', 'disputed'] },
  ])
  // what the last bill posts is not on the balance yet; what is free and owed says the same of a post-paid account
  const settled = [mode === 'postpaid' ? free : before.balance, owed].every((one) => new Exact(one).isZero())
  if (settled && open === 0) return null
  const [shown, unbilled] = [exactText(new Exact(before.balance)), exactText(new Exact(before.owed))]
  const currency = text(account.record.currency)
  throw new ServiceError('factsChanged', {
    message: {
      zh: `账户 ${account.title} 余额 ${shown} ${currency}、未结清账单 ${open} 张、未出账消费 ${unbilled} ${currency}，结清后才能销户。`,
      en: `The account ${account.title} has a balance of ${shown} ${currency}, ${open} open bills and ${unbilled} ${currency} on no bill that was issued. Settle them before it is closed.`,
    },
    data: { field: 'balance', value: shown, unbilled },
  })
}
