import type { EntityRecord, RecordOf } from '../../../entities'
import { dayOf } from '../../../../src/schema/formats'
import { addDays } from '../../../../src/schema/formats/days'
import type { ModuleVerb } from '../../module'

const LEGAL = 'srm.supplierLegal'
const KINDS = ['rename', 'newCompany', 'newBank', 'ourEntity']
/** The first day of what a supplier was before anything about it was replaced. */
const BEFORE_ALL = '2000-01-01'

/**
 * A supplier becomes, from a day on, another contract party: by another name, as another company, with another bank account, or of
 * another of our companies. What it was until then is kept as the version before (money 8.9). `instanceId` says it once.
 */
export const verb: ModuleVerb = async ({ entities, context, now, tx }, runs) => {
  const versions: RecordOf<'srm.supplierLegal'>[] = []
  for (const { with: given } of runs) {
    const instanceId = given.instanceId
    if (typeof instanceId !== 'string' || instanceId === '') throw new Error('The effect srm.bodyReplace names no instanceId.')
    if (!KINDS.includes(String(given.replaceKind)))
      throw new Error(`There is no kind "${String(given.replaceKind)}" of replacement.`)
    const supplier = await entities.find('srm.supplier', String(given.supplierId), { lock: true })
    if (!supplier) throw new Error('The effect srm.bodyReplace names no supplier.')
    const known = await entities.list(LEGAL, {
      where: [{ field: 'supplierId', operator: 'eq', value: supplier.id }],
      lock: true,
    })
    const done = known.find((version) => version.instanceId === instanceId)
    if (done) {
      versions.push(done)
      continue
    }
    const today = dayOf(now.toISOString(), tx.companyTimeZone)!
    if (known.length === 0) await keepOriginal(supplier)
    const wanted = typeof given.effectiveDate === 'string' && given.effectiveDate > today ? given.effectiveDate : today
    const day = freeDay(wanted, known)
    const version = await entities.save(LEGAL, { ...newFacts(supplier, given), validFrom: day, instanceId })
    versions.push(day > today ? version : await entities.transition(LEGAL, version.id, 'takeEffect'))
  }
  return versions

  async function keepOriginal(supplier: RecordOf<'srm.supplier'>): Promise<void> {
    const { id, name, nameEn, regNo, countryCode, bankInfo } = supplier
    const first = await entities.save(LEGAL, {
      supplierId: id,
      name,
      nameEn,
      regNo,
      countryCode,
      bankInfo,
      validFrom: BEFORE_ALL,
      createdBy: context.user.staffId,
    })
    await entities.transition(LEGAL, first.id, 'takeEffect')
  }
}

/** One version begins a day: another replacement of that day begins the day after. */
function freeDay(wanted: string, known: readonly RecordOf<'srm.supplierLegal'>[]): string {
  let day = wanted
  while (known.some(({ validFrom }) => validFrom === day)) day = addDays(day, 1)
  return day
}

/** What the version says: each kind of replacement replaces what it is about, the rest goes on. */
function newFacts(supplier: RecordOf<'srm.supplier'>, given: EntityRecord): EntityRecord {
  const kind = String(given.replaceKind)
  const company = kind === 'newCompany'
  const named = company || kind === 'rename'
  return {
    supplierId: supplier.id,
    kind,
    name: (named ? given.newName : null) ?? supplier.name,
    nameEn: (named ? (given.newNameEn ?? (company ? given.newName : null)) : null) ?? supplier.nameEn ?? null,
    regNo: (company ? given.newRegNo : null) ?? supplier.regNo ?? null,
    countryCode: (company ? given.newCountry : null) ?? supplier.countryCode,
    bankInfo: (company || kind === 'newBank' ? given.newBankInfo : null) ?? supplier.bankInfo ?? null,
    companyEntityId: kind === 'ourEntity' ? (given.newEntityId ?? null) : null,
    accountIds: given.accountIds ?? [],
    balanceHandling: given.transferBalance ?? null,
    reason: given.reason ?? null,
    contractFile: fileOf(given.contractFile),
    letterFile: fileOf(given.letterFile),
    licenceFile: fileOf(given.licenceFile),
  }
}

/** Forms hold one file, or a list of which the first is meant. */
const fileOf = (value: unknown): unknown => (Array.isArray(value) ? (value[0] ?? null) : (value ?? null))
