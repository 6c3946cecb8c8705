import {
  inventMobile,
  inventPerson,
  mailOf,
  type CompanyName,
  type CountryFacts,
  type Chance,
  type DemoRecord,
} from '../../../demo'

export type DemoContact = DemoRecord & { readonly name: string; readonly email: string | null }

interface ContactPlan {
  customerId: string
  company: CompanyName
  country: CountryFacts
  contactName?: string
  createdAt: Date
  createdBy: string
  isoNow: string
}
const ROLES = ['business', 'technical', 'finance', 'rates', 'decision'] as const
const TITLES: Readonly<Record<(typeof ROLES)[number], readonly [string, string]>> = {
  business: ['商务经理', 'Business Manager'],
  technical: ['技术负责人', 'Head of Engineering'],
  finance: ['财务经理', 'Finance Manager'],
  rates: ['采购经理', 'Purchasing Manager'],
  decision: ['总经理', 'Managing Director'],
}

/** One to five people of a customer; exactly one is the primary contact, and everybody can be reached somehow. */
export function contactsOf(random: Chance, plan: ContactPlan): DemoContact[] {
  const count = random.weighted([
    [1, 25],
    [2, 55],
    [3, 14],
    [4, 4],
    [5, 2],
  ])
  const mails = new Set<string>()
  return Array.from({ length: count }, (_, index): DemoContact => {
    const person = inventPerson(random, plan.country.people)
    const role = index === 0 ? 'business' : random.pick(ROLES)
    const mail = mailOf(person.latin, plan.company.domain)
    const email = mails.has(mail) || (index > 0 && random.happens(0.08)) ? null : mail
    if (email) mails.add(email)
    return {
      id: `co-${plan.customerId.slice(3)}-${index + 1}`,
      customerId: plan.customerId,
      name: index === 0 && plan.contactName ? plan.contactName : person.name,
      title: TITLES[role][plan.country.style === 'han' ? 0 : 1],
      department: null,
      role,
      email,
      phone: null,
      mobile: inventMobile(random, plan.country),
      im: random.happens(0.4)
        ? plan.country.style === 'han'
          ? `微信 ${mail.split('@')[0]}`
          : `WhatsApp ${mail.split('@')[0]}`
        : null,
      isPrimary: index === 0,
      receivesQuote: role === 'business' || role === 'rates',
      receivesBill: role === 'finance',
      receivesNotice: true,
      unsubscribedAt: random.happens(0.03) ? plan.isoNow : null,
      bounceCount: random.happens(0.02) ? 3 : 0,
      leftAt: null,
      remark: null,
      createdAt: plan.createdAt.toISOString(),
      createdBy: plan.createdBy,
    }
  })
}
