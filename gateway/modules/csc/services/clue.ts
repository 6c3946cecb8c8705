import { sql } from 'drizzle-orm'
import { getDomain } from 'tldts'
import type { EntityRecord, EntityService, TransitionHook } from '../../../entities'
import { matchKeys } from '../../../duplicates'
import { customerSourceOf, qualityOf, respondBy, scoreOf } from '../rules/clue'
import { RULE_DEFAULTS } from '../../../rules'

const FREE_MAIL = new Set<string>(RULE_DEFAULTS['crm.domain'].domains.map(({ domain }) => domain))

/** Clues as a sales person works on them: accept, follow, convert, hand to the owner, return, mark invalid. */
export function clueServices(timeZone: string): Record<string, EntityService> {
  const steps: Record<string, (hook: TransitionHook) => Promise<void> | void> = {
    follow,
    convert,
    handOver: (hook) => handOver(hook, timeZone),
    giveBack({ before, record, context }) {
      Object.assign(record, {
        ownerId: null,
        assignedAt: null,
        respondBy: null,
        returnCount: Number(before.returnCount ?? 0) + 1,
        returnedById: context.user.staffId || null,
      })
    },
  }
  return {
    'csc.clue': {
      beforeSave({ record }) {
        if (typeof record.email === 'string') record.email = record.email.trim().toLowerCase()
        record.nameKey = typeof record.company === 'string' && record.company !== '' ? matchKeys(record.company).nameKey : null
        const score = scoreOf({
          companyMail: isCompanyMail(record.email),
          phone: Boolean(record.phone),
          company: Boolean(record.company),
          volume: textOf(record.volume),
          countryCode: textOf(record.countryCode),
          source: textOf(record.source),
        })
        Object.assign(record, { score, quality: qualityOf(score) })
      },
    },
    'csc.clue.step': {
      async guard({ transition, before, tx, context }) {
        if (transition.id !== 'handOver') return null
        const owner = await ownerOfSame({ tx }, before)
        if (owner === null)
          return {
            zh: '没有同名且有负责人的客户，无需转交。',
            en: 'No owned customer has this name: there is nobody to hand it to.',
          }
        return owner === context.user.staffId
          ? { zh: '同名客户就是您的，请直接跟进。', en: 'The customer of this name is yours: just follow it up.' }
          : null
      },
      async effect(hook) {
        await steps[hook.transition.id]?.(hook)
      },
    },
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function isCompanyMail(email: unknown): boolean {
  const domain = typeof email === 'string' ? getDomain(email.split('@')[1] ?? '') : null
  return domain !== null && !FREE_MAIL.has(domain)
}

async function follow({ before, record, values, entities, now }: TransitionHook): Promise<void> {
  await entities.save('crm.followUp', {
    clueId: before.id,
    way: values.way,
    content: values.content,
    result: values.result,
    nextAt: values.nextAt ?? null,
  })
  const at = now.toISOString()
  Object.assign(record, {
    firstTouchAt: before.firstTouchAt ?? at,
    lastFollowAt: at,
    nextFollowAt: values.nextAt ?? null,
    followCount: Number(before.followCount ?? 0) + 1,
  })
}

/** One transaction: the customer (checked like a typed one), its contact, the history of the clue. */
async function convert({ before, record, values, entities, tx, now, context }: TransitionHook): Promise<void> {
  const at = now.toISOString()
  const customer = await entities.save(
    'crm.customer',
    {
      convertedFrom: before.id,
      contact: { email: before.email, mobile: before.phone },
      ownerId: before.ownerId ?? context.user.staffId,
      ownedAt: at,
      name: values.customerName,
      nameEn: values.customerNameEn ?? null,
      partyType: 'customer',
      platform: before.source === 'bukaSignup' ? 'buka' : 'main',
      tradeType: values.tradeType,
      customerType: values.customerType,
      countryCode: before.countryCode,
      website: values.website ?? null,
      duplicateReason: values.duplicateReason ?? null,
      source: customerSourceOf(before.source),
      products: before.products ?? [],
      level: 'd',
      clueId: before.id,
      remark: before.need ?? null,
      followCount: before.followCount ?? 0,
      lastFollowAt: before.lastFollowAt ?? null,
      nextFollowAt: before.nextFollowAt ?? null,
      stage: before.lastFollowAt ? 'following' : 'potential',
    },
    { checked: true },
  )
  await entities.save('crm.contact', {
    customerId: customer.id,
    name: before.contactName,
    email: before.email ?? null,
    mobile: before.phone ?? null,
    im: before.im ?? null,
    role: 'business',
    isPrimary: true,
  })
  await tx.query(
    sql`update crm_follow_up set customer_id = ${String(customer.id)} where clue_id = ${String(before.id)} and deleted_at is null`,
  )
  Object.assign(record, { customerId: customer.id, convertedAt: at, firstTouchAt: before.firstTouchAt ?? at })
}

/** The clue is of a customer that somebody has: it becomes his, with a time to respond of its own. */
async function handOver(hook: TransitionHook, timeZone: string): Promise<void> {
  const { before, record, now } = hook
  Object.assign(record, {
    ownerId: await ownerOfSame(hook, before),
    assignedAt: now.toISOString(),
    respondBy: respondBy(now, qualityOf(Number(before.score ?? 0)), timeZone).toISOString(),
  })
}

/** Who has the customer of the same name in the same country. */
async function ownerOfSame({ tx }: Pick<TransitionHook, 'tx'>, clue: EntityRecord): Promise<string | null> {
  if (!clue.nameKey) return null
  const { rows } = await tx.query<{ ownerId: string }>(
    sql`select c.owner_id as "ownerId" from crm_customer c join sys_staff s on s.id = c.owner_id and s.status <> 'left'
        where c.name_key = ${String(clue.nameKey)} and c.country_code = ${String(clue.countryCode)} and c.holding = 'private'
          and c.deleted_at is null and not coalesce(c.voided, false) limit 1`,
  )
  return rows[0]?.ownerId ?? null
}
