import type { EntityRecord, EntityService, Verb, VerbContext, RecordOf } from '../../../entities'
import { newId } from '../../../platform/database'
import { businessOf, type Business } from './business'

const [TRANSFER, ITEM, ACCOUNT, CONTACT, SUPPLIER] = [
  'srm.accountTransfer',
  'srm.accountTransferItem',
  'srm.supplierAccount',
  'srm.supplierContact',
  'srm.supplier',
] as const
const SHOWN = [
  'accounts',
  'contacts',
  'rates',
  'bills',
  'clues',
  'applications',
  'balances',
] as const satisfies readonly (keyof Business)[]
const REASONS: Readonly<Record<string, string>> = { merger: 'reorganised', takeover: 'contract', newAgent: 'contract' }
const MOST = 500

/** A transfer of a whole supplier tells what the first supplier has now. */
export const supplierTransfers: EntityService<'srm.supplierTransfer'> = {
  beforeSave({ record, before, context }) {
    if (!before && context.kind !== 'system') record.ownerId ??= context.user.staffId
  },
  async computeFields(records, { db }) {
    const found = await businessOf(db, [...new Set(records.map(({ fromSupplierId }) => String(fromSupplierId)))])
    for (const record of records) {
      const business = found.get(String(record.fromSupplierId))
      for (const name of SHOWN) record[`${name}Now`] = business?.[name] ?? null
    }
  },
}

/**
 * `srm.beginSupplierTransfer`: all accounts of the first supplier stand in one account transfer that begins at once; each of them moves, fails or is dropped
 * by itself. @throws 10060054 for an account that stands in another open transfer
 */
export const beginSupplierTransfer: Verb<'srm.supplierTransfer'> = async (hook, runs) => {
  for (const { subject } of runs) {
    const { record } = subject
    const accounts = await hook.entities.list(ACCOUNT, {
      where: [
        { field: 'supplierId', operator: 'eq', value: record.fromSupplierId },
        { field: 'status', operator: 'in', value: ['opening', 'active', 'suspended'] },
        { field: 'movedToId', operator: 'empty' },
      ],
      limit: MOST,
    })
    if (accounts.length > 0) record.accountTransferId = await beginAccounts(hook, record, accounts)
  }
}

async function beginAccounts(
  { entities }: VerbContext,
  record: RecordOf<'srm.supplierTransfer'>,
  accounts: readonly RecordOf<'srm.supplierAccount'>[],
): Promise<string> {
  const { fromSupplierId, toSupplierId, cutoverAt, balanceMode, explanation, ownerId } = record
  const transfer = await entities.save(TRANSFER, {
    ...{ fromSupplierId, toSupplierId, cutoverAt, balanceMode, explanation, ownerId },
    supplierTransferId: record.id,
    accountIds: accounts.map(({ id }) => id),
    rateMode: record.rateHandling === 'move' ? 'copy' : 'newSheet',
    reason: REASONS[record.kind] ?? 'reorganised',
  })
  const id = transfer.id
  const handling = (record.handling ?? {}) as Readonly<Record<string, string>>
  const items = await entities.list(ITEM, { where: [{ field: 'transferId', operator: 'eq', value: id }] })
  const chosen = items.flatMap((item) => {
    const mode = handling[item.accountId]
    return mode === undefined ? [] : [[item.id, { balanceMode: mode }] as const]
  })
  await entities.changeMany(ITEM, new Map(chosen))
  for (const step of ['file', 'agree', 'begin']) await entities.transition(TRANSFER, id, step)
  return id
}

/**
 * `srm.finishSupplierTransfer`: when the accounts have moved, the contacts are copied and the first supplier ends with its successor; while a balance, an account or a
 * bill is left with it, it is suspended instead.
 */
export const finishSupplierTransfer: Verb<'srm.supplierTransfer'> = async (hook, runs) => {
  for (const { subject } of runs) {
    const { record } = subject
    const [from, to] = [record.fromSupplierId, record.toSupplierId]
    record.contactsCopied = record.contactHandling === 'move' ? await copyContacts(hook, from, to) : 0
    record.ended = await endSupplier(hook, from, to)
  }
}

const COPIED = [
  'name',
  'title',
  'department',
  'role',
  'email',
  'phone',
  'mobile',
  'im',
  'receivesQuote',
  'receivesBill',
  'receivesNotice',
  'remark',
] as const

async function copyContacts({ entities, context, now }: VerbContext, from: string, to: string): Promise<number> {
  const of = (supplierId: string) =>
    entities.list(CONTACT, {
      where: [
        { field: 'supplierId', operator: 'eq', value: supplierId },
        { field: 'leftAt', operator: 'empty' },
      ],
    })
  const known = new Set((await of(to)).map(keyOf))
  const fresh = (await of(from)).filter((contact) => !known.has(keyOf(contact)))
  const copies = fresh.map((contact): EntityRecord => ({
    ...Object.fromEntries(COPIED.map((name) => [name, contact[name] ?? null])),
    ...{ id: newId(), supplierId: to, isPrimary: false, createdAt: now.toISOString(), createdBy: context.user.staffId },
  }))
  // as they stand: the duplicate check would refuse people whom two suppliers share
  await entities.insertMany(CONTACT, copies)
  return copies.length
}

/** A person is known by his mail address, else by his name. */
const keyOf = ({ email, name }: RecordOf<'srm.supplierContact'>): string => (email ?? name).toLowerCase()

async function endSupplier({ entities, tx }: VerbContext, from: string, to: string): Promise<boolean> {
  const business = (await businessOf(tx, [from])).get(from)!
  const ends = !business.owing && business.accounts === 0 && business.bills === 0
  const supplier = await entities.find(SUPPLIER, from, { lock: true })
  const step = ends ? 'succeed' : 'giveWay'
  if (supplier && ['testing', 'cooperating', 'suspended'].includes(supplier.status))
    await entities.transition(SUPPLIER, from, step, { successorId: to })
  return ends
}
