import { describe, expect, it } from 'vitest'
import { changedOnly, diffParams } from '../../../../gateway/rules/diff'
import { inForce, readRules } from '../../../../gateway/rules/forms'
import { RULE_SETS } from '../../../../src/schema/generated/ruleSets'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { PageDocument } from '../../../../src/schema/generated/page'
import { allDictionaries, wholeSchema } from '../../../support/schemas'

const page = (name: string): PageDocument => wholeSchema(`${name.replace('/', '/pages/')}.json`)
const dictionaries = new Map(allDictionaries().map((one) => [one.name, one]))
const dictionary = (name: string): DictionaryDocument => dictionaries.get(name)!
const rules = readRules(page, dictionary)
const sea = rules.get('crm.sea')!

describe('rule settings', () => {
  it.each(RULE_SETS.map(({ key }) => key))('accepts the defaults of %s by its own form, and knows no other parameter', (key) => {
    const rule = rules.get(key)!
    expect(rule.problems(inForce(rule, null), false)).toEqual([])
    expect(rule.problems({ ...inForce(rule, null), unheardOf: 1 }, false)).toHaveLength(1)
    for (const name of Object.keys(rule.defaults)) expect(rule.names.has(name), `${key} ${name}`).toBe(true)
  })

  it('names the field that is wrong, inside of groups too, in both languages', () => {
    const params = { ...inForce(sea, null), maxPerNight: 0, noFollowDays: { potential: 15 } }
    const problems = sea.problems(params, false)
    expect(problems.map(({ field }) => field).sort()).toEqual([
      'maxPerNight',
      'noFollowDays.dealt',
      'noFollowDays.following',
      'noFollowDays.quoted',
      'noFollowDays.testing',
    ])
    expect(problems.find(({ field }) => field === 'maxPerNight')?.message).toEqual({
      zh: '每晚最多回收不得小于 1。',
      en: 'At most per night must be at least 1.',
    })
  })

  it('gives the words of the form with a change: what codes and the members of entries are called', () => {
    const domain = rules.get('crm.domain')!
    const after = { ...inForce(domain, null), domains: [{ domain: 'a.com', kind: 'freeMail', note: null }] }
    const [change] = diffParams(inForce(domain, null), after, domain.names)
    expect(change?.words?.kind?.choices?.freeMail).toEqual({ zh: '公共邮箱', en: 'Free mail' })
    expect(change?.words?.domain?.title?.en).toBe('Domain')
    expect(rules.get('crm.allowBuka')?.names.get('bannedCountries')?.words?.['']?.countries).toBe(true)
  })

  it('lets an exception say a part only', () => {
    expect(sea.problems({ noFollowDays: { potential: 30 } }, true)).toEqual([])
    expect(sea.problems({ noFollowDays: { potential: 30 } }, false).length).toBeGreaterThan(0)
  })

  it('shows what changed path by path, and keeps of an exception only what differs', () => {
    const before = inForce(sea, null)
    const after = { ...before, firstTouchDays: 5, noFollowDays: { ...(before.noFollowDays as object), potential: 20 } }
    expect(diffParams(before, after, sea.names).map(({ path, title, before: a, after: b }) => [path, title.en, a, b])).toEqual([
      ['firstTouchDays', 'First touch after claim or assignment (days)', 3, 5],
      ['noFollowDays.potential', 'No follow-up (days) · Potential', 15, 20],
    ])
    expect(changedOnly(before, after)).toEqual({ firstTouchDays: 5, noFollowDays: { potential: 20 } })
    expect(diffParams(before, { ...before }, sea.names)).toEqual([])
  })
})
