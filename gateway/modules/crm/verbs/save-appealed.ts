import type { EntityRecord, HookContext } from '../../../entities'
import { logOwnership, refuseAboveCap, subjectOf } from '../../../ownership'
import { ServiceError } from '../../../platform/http'
import { ruleFor } from '../../../rules'
import type { ModuleServiceParts, ModuleVerb } from '../../module'
import { addDays, dayOf } from '../rules/companyDay'
import { hitDeskOf } from '../services/blacklist/desk'
import { refuseBarredCustomer } from '../services/blacklist/guard'
import { newCustomer, refuseWrong } from '../services/customerChecks'
import { makeProfile, PARTNER_INPUTS } from '../services/partner/partnerProfile'
import { applyTemplate } from '../services/template'

const CUSTOMER = 'crm.customer'

/** `crm.saveAppealed`: saves the customers of appeals of blocked duplicates that a leader accepts (CRM rule 9.1); answers them. */
export const verb: ModuleVerb = async (hook, runs) => {
  const saved: { id: string }[] = []
  for (const { subject, with: given } of runs)
    saved.push({ id: await saveApproved({ ...hook, before: subject.record, note: String(given.note ?? '') }) })
  return saved
}

const isPartnerInput = (name: string): boolean => (PARTNER_INPUTS as readonly string[]).includes(name)

interface Accepted extends HookContext, ModuleServiceParts {
  before: EntityRecord
  /** Why the leader says that it is another customer. */
  note: string
}

/** The customer as the appellant typed it, owned by him, with the reason of the leader and the record that it resembles. */
async function saveApproved(appeal: Accepted): Promise<string> {
  const { engine, configuration, entities, tx, now, before, note, context } = appeal
  const appellant = await entities.find('sys.staff', String(before.createdBy))
  if (!appellant || appellant.status === 'left')
    throw new ServiceError('limitRefused', {
      message: { zh: '申诉人已离职。', en: 'The person who asked has left the company.' },
      data: { reason: 'notActive' },
    })
  const rules = await ruleFor(tx, 'crm.sea', now, { staffId: appellant.id })
  const input = before.input as EntityRecord
  const record: EntityRecord = {
    ...Object.fromEntries(Object.entries(input).filter(([name]) => !isPartnerInput(name))),
    duplicateReason: note,
    duplicateOfId: before.duplicateOfId,
    holding: 'private',
    ownerId: appellant.id,
    ownerDeptId: appellant.mainDeptId,
    ownedAt: now.toISOString(),
    gainedBy: 'create',
    protectUntil: addDays(dayOf(now, configuration.companyTimeZone), rules.protectDays.create),
  }
  // a leader decides on duplicates, neither on the template and the blacklist nor on the cap
  await refuseWrong(context, (fail) => applyTemplate({ ...newCustomer(engine, record, now), fail }, tx, appellant.id))
  await refuseBarredCustomer(appeal, entities.keysOf(CUSTOMER, record), hitDeskOf(appeal))
  const owned = subjectOf(engine, CUSTOMER)
  await refuseAboveCap(engine, owned, appeal, record)
  const saved = await entities.save(CUSTOMER, record, { reason: note })
  if (saved.partyType === 'partner') await makeProfile({ record: saved, entities, inputs: input })
  const change = { recordId: saved.id, action: 'create' as const, to: appellant, note: note.slice(0, 200) }
  await logOwnership(owned, { entities, now, byId: context.user.staffId }, [change])
  return saved.id
}
