import { randomInt } from 'node:crypto'
import { currencyDigits, Exact } from '../../../../../src/schema/formats'
import type { Executor } from '../../../../platform/database'
import type { EntityRecord, EntityService, SaveHook, GivenOf, SavedHook } from '../../../../entities'

/** Base32 without letters that are mixed up when read aloud (RFC 4648 alphabet). */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const CODE_LENGTH = 10

/** The address that a partner's customers register under. */
export type InviteLink = (code: unknown) => string | null

/** Links to the registration page; without a page the code alone is what a partner hands out. */
export const inviteLinks =
  (registerUrl: string | undefined): InviteLink =>
  (code) =>
    typeof code !== 'string' || code === '' ? null : registerUrl ? `${registerUrl}?invite=${code}` : code

/** What a partner's profile asks for when the partner itself is made: further input of a customer's save. */
export const PARTNER_INPUTS = [
  'partnerType',
  'agentLevel',
  'commissionMode',
  'commissionRate',
  'agreementFrom',
  'agreementTo',
  'settleCycle',
  'parentAgentId',
] as const

/** Profiles of partners, one each: invite code, two levels of agents at most, customers and commission computed. */
export const partnerProfileService = (inviteLink: InviteLink): EntityService<'crm.partnerProfile'> => ({
  async beforeSave(hook) {
    const { record, before, tx } = hook
    if (!before) record.inviteCode ??= await freeInviteCode(tx)
    if (record.commissionMode === 'none') record.commissionRate = null
    await checkParent(hook)
  },
  async computeFields(records, { db }) {
    const figures = await agentFigures(
      db,
      records.map((record) => String(record.customerId)),
    )
    for (const record of records) {
      const { customers, revenue30, profit30 } = figures.get(String(record.customerId)) ?? {
        customers: 0,
        revenue30: '0',
        profit30: '0',
      }
      record.customerCount = customers
      record.inviteLink = inviteLink(record.inviteCode)
      record.commission30 = commissionOf(record, { revenue30, profit30 })
    }
  },
})

async function checkParent({ record, entities, fail }: SaveHook<'crm.partnerProfile'>): Promise<void> {
  if (!record.parentAgentId) return
  const wrong = (rule: string, zh: string, en: string): void => fail({ field: 'parentAgentId', rule, message: { zh, en } })
  if (record.parentAgentId === record.customerId)
    return wrong('notSelf', '上级代理不能是自己。', 'A partner is not its own parent.')
  const profiles = await entities.list('crm.partnerProfile', {
    where: [{ field: 'customerId', operator: 'eq', value: record.parentAgentId }],
  })
  if (profiles.some((profile) => profile.parentAgentId))
    return wrong('twoLevels', '代理最多两级，上级代理已有上级。', 'Agents have two levels at most; the parent has a parent.')
  const below = await entities.count('crm.partnerProfile', [{ field: 'parentAgentId', operator: 'eq', value: record.customerId }])
  if (below > 0)
    wrong('twoLevels', '代理最多两级，该伙伴已有下级代理。', 'Agents have two levels at most; this partner has sub-agents.')
}

/**
 * Commission of 30 days in USD by the profile's mode, exact and rounded once, half up; a loss earns nothing. Per-unit commission comes with
 * the rated records. Pure.
 */
export function commissionOf(profile: EntityRecord, figures: { revenue30: string; profit30: string }): string | null {
  const profit = new Exact(figures.profit30)
  const base =
    profile.commissionMode === 'revenueShare'
      ? new Exact(figures.revenue30)
      : profile.commissionMode === 'profitShare'
        ? profit.isNegative()
          ? new Exact(0)
          : profit
        : null
  const rate = new Exact(String(profile.commissionRate ?? 0))
  return base === null ? null : rate.times(base).dividedBy(100).toFixed(currencyDigits('USD'))
}

/** Customers of agents with what they brought in. */
export async function agentFigures(
  db: Executor,
  agentIds: readonly string[],
): Promise<Map<string, { customers: number; revenue30: string; profit30: string }>> {
  const { rows } = await db.query<{ id: string; customers: number; revenue30: string; profit30: string }>(
    `select agent_id as id, count(*) as customers, coalesce(sum(revenue30), 0)::text as "revenue30", coalesce(sum(profit30), 0)::text as "profit30"
     from crm_customer where agent_id = any($1::text[]) and deleted_at is null group by agent_id`,
    [agentIds],
  )
  return new Map(rows.map(({ id, ...figures }) => [id, { ...figures, customers: Number(figures.customers) }]))
}

async function freeInviteCode(db: Executor): Promise<string> {
  for (;;) {
    let code = ''
    for (let position = 0; position < CODE_LENGTH; position += 1) code += BASE32.charAt(randomInt(BASE32.length))
    const { rows } = await db.query(`select 1 from crm_partner_profile where invite_code = $1`, [code])
    if (rows.length === 0) return code
  }
}

/** The profile of a partner that was just made, from what its form asked for. */
export async function makeProfile({
  record,
  entities,
  inputs,
}: Pick<SavedHook<'crm.customer'>, 'record' | 'entities' | 'inputs'>): Promise<void> {
  const given = Object.fromEntries(
    PARTNER_INPUTS.flatMap((name) => (inputs[name] == null || inputs[name] === '' ? [] : [[name, inputs[name]]])),
  )
  const hasRate = given.commissionRate !== undefined
  await entities.save('crm.partnerProfile', {
    customerId: record.id,
    partnerType: 'agent',
    commissionMode: hasRate ? 'revenueShare' : 'none',
    ...(given as GivenOf<'crm.partnerProfile'>),
  })
}

/** Facts of a partner's profile for the pages of the partner itself. */
export async function describePartners(records: readonly EntityRecord[], db: Executor, inviteLink: InviteLink): Promise<void> {
  const partners = records.filter((record) => record.partyType === 'partner')
  if (partners.length === 0) return
  const { rows } = await db.query<EntityRecord & { customerId: string }>(
    `select id as "profileId", customer_id as "customerId", partner_type as "profileType", agent_level as "profileLevel",
       commission_mode as "profileCommissionMode", commission_rate::text as "profileCommissionRate", invite_code as "profileInviteCode",
       agreement_from::text as "profileFrom", agreement_to::text as "profileTo", settle_cycle as "profileSettleCycle",
       parent_agent_id as "profileParentId", status as "profileStatus"
     from crm_partner_profile where customer_id = any($1::text[]) and deleted_at is null`,
    [partners.map((record) => String(record.id))],
  )
  const byCustomer = new Map(rows.map(({ customerId, ...profile }) => [customerId, profile]))
  for (const record of partners) {
    const profile = byCustomer.get(String(record.id))
    if (profile) Object.assign(record, profile, { profileInviteLink: inviteLink(profile.profileInviteCode) })
  }
}
