import { COUNTRIES, inventCompany, inventMobile, inventPerson, mailOf } from '../../../demo'
import { dayOf } from '../../../platform/calendar'
import { buyersOf, iso, put, type SrmChapter } from './suppliers'
import { DESTINATIONS, inventOffer, inventTalk } from './texts'

const DAY = 86_400_000
const CLUES = 900

/** Supplier leads: in the pool, handed out this week, followed, converted into suppliers that stand already, and invalid. */
export function makeClues(chapter: SrmChapter): void {
  const { random, now, rows } = chapter
  const buyers = buyersOf(chapter)
  const suppliers = (rows['srm.supplier'] ?? []).filter(({ ownerId }) => ownerId !== null)
  const count = Math.max(20, Math.round(CLUES * chapter.scale))
  const year = dayOf(now, chapter.timeZone).slice(2, 4)
  const taken = new Set<string>()
  for (let index = 0; index < count; index += 1) {
    const country = random.weighted(COUNTRIES.map((one) => [one, one.weight] as const))
    const company = inventCompany(random, country, taken)
    const person = inventPerson(random, country.people)
    const share = index / count
    const supplier = share < 0.2 ? suppliers[index] : undefined
    const status = supplier
      ? 'converted'
      : share < 0.5
        ? 'invalid'
        : share < 0.78
          ? 'pool'
          : share < 0.9
            ? 'following'
            : 'assigned'
    const open = status === 'assigned' || status === 'following'
    const age =
      status === 'assigned' ? random.next() * 1.5 : status === 'following' ? random.integer(8, 20) : random.integer(3, 150)
    const createdAt = new Date(now.getTime() - (age + 0.3) * DAY)
    const owner = supplier ? String(supplier.ownerId) : open ? (buyers[index % buyers.length]?.id ?? null) : null
    const assignedAt = owner ? iso(new Date(now.getTime() - age * DAY)) : null
    const touchedAt = status === 'following' ? iso(new Date(now.getTime() - random.integer(1, 5) * DAY)) : null
    const number = String(index + 1).padStart(5, '0')
    const id = `sc-${number}`
    const cover = random.sample(DESTINATIONS, random.integer(1, 3))
    const email = mailOf(person.latin, company.domain)
    put(chapter, 'srm.clue', {
      ...{
        id,
        code: `SC${year}${number}`,
        name: supplier ? String(supplier.name) : company.name,
        countryCode: supplier?.countryCode ?? country.code,
      },
      ...{
        products: [random.pick(['sms', 'voice', 'number'])],
        coverCountries: cover,
        routeType: 'direct',
        codec: 'G.711',
        numberType: 'DID',
      },
      ...{
        contactName: person.name,
        email,
        phone: inventMobile(random, country),
        im: null,
        website: `https://www.${company.domain}`,
      },
      ...{
        source: random.pick(['exhibition', 'inbound', 'search', 'referral', 'community']),
        offer: inventOffer(random, cover),
        status,
      },
      ...{ assignedAt, firstTouchAt: touchedAt, lastFollowAt: touchedAt, workedAt: touchedAt ?? assignedAt, nextFollowAt: null },
      ...{ followCount: touchedAt ? 1 : 0, returnCount: 0, returnedById: null, returnedAt: null, returnReason: null },
      invalidReason: status === 'invalid' ? random.pick(['noContact', 'fake', 'noNeed', 'noNeed', 'duplicate', 'spam']) : null,
      ...{ invalidNote: null, invalidAt: status === 'invalid' ? iso(new Date(createdAt.getTime() + 2 * DAY)) : null },
      invalidById: status === 'invalid' ? (buyers[index % buyers.length]?.id ?? null) : null,
      ...{
        supplierId: supplier?.id ?? null,
        convertedAt: supplier ? supplier.createdAt : null,
        duplicateOfId: null,
        duplicateReason: null,
      },
      ...{ attachments: [], ownerId: owner, ownerDeptId: owner ? (buyers[0]?.mainDeptId ?? null) : null, ownedAt: assignedAt },
      ...{ createdAt: iso(createdAt), createdBy: buyers[index % buyers.length]?.id ?? '' },
    })
    if (touchedAt && owner) {
      const talk = inventTalk(random, country.style === 'han', cover)
      put(chapter, 'srm.followUp', {
        ...{
          id: `sf-${id}`,
          supplierId: null,
          clueId: id,
          contactId: null,
          ...talk,
          result: 'interested',
          nextAt: null,
          nextPlan: null,
        },
        ...{ effective: true, attachments: [], createdAt: touchedAt, createdBy: owner },
      })
    }
    if (!assignedAt) continue
    const by = open ? (buyers[0]?.id ?? null) : owner
    put(chapter, 'srm.distribute', {
      ...{
        id: `sd-${id}`,
        supplierId: null,
        clueId: id,
        toStaffId: owner,
        byId: by,
        mode: open ? 'manual' : 'claim',
        reason: null,
        at: assignedAt,
      },
      ...{ touchedAt, createdAt: assignedAt, createdBy: by ?? '' },
    })
  }
}
