import { sql } from 'drizzle-orm'
import type { EntityModel } from '../../src/schema/entity'
import { compareIdentities, DUPLICATE_DEFAULTS, matchKeys, similarity, type DuplicateRules } from '../duplicates'
import type { EntityEngine } from '../entities'
import type { Database } from '../platform/database'
import type { RequestContext } from '../platform/http'
import { MOST_ROWS, type JobReport } from '../platform/jobs'
import { ruleFor, type RuleKey } from './book'
import type { RuleCodes, RuleTestAnswer } from './http'

interface Parts {
  engine: EntityEngine
  database: Database
}
type Input = Readonly<Record<string, unknown>>

/** The test of every rule set of a duplicate check, and what its shared domains mean for the records that there are (`x-duplicates`). */
export function duplicateRules({ engine, database }: Parts): RuleCodes {
  const checked = engine.names().flatMap((name) => {
    const model = engine.model(name)
    const word = model.document['x-duplicates']
    return word ? [{ model, word }] : []
  })
  const tests = checked.flatMap(({ word: { rules } }) =>
    rules === undefined
      ? []
      : [
          [
            rules,
            {
              test: (input: Input, context: RequestContext) => testNames(rules as RuleKey, input, context, { engine, database }),
            },
          ],
        ],
  )
  const effects = [...new Set(checked.flatMap(({ word: { shared } }) => shared ?? []))].map((key) => {
    const models = checked.flatMap(({ model, word }) => (word.shared === key ? [model] : []))
    return [key, { effect: (rule: object) => domainEffect(rule, models, database) }]
  })
  return Object.fromEntries([...tests, ...effects]) as RuleCodes
}

const text = (input: Input, name: string): string => (typeof input[name] === 'string' ? input[name] : '')

/** Two names: their keys, how alike they are, and what the duplicate check would decide. Nothing is saved. */
async function testNames(
  key: RuleKey,
  input: Input,
  { now }: RequestContext,
  { engine, database }: Parts,
): Promise<RuleTestAnswer> {
  const rules: DuplicateRules = { ...DUPLICATE_DEFAULTS, ...(await ruleFor(database, key, now)) }
  const side = (name: string, country: string) => ({ ...matchKeys(name), countryCode: country, numbers: [], domains: [] })
  const [a, b] = [side(text(input, 'nameA'), text(input, 'countryA')), side(text(input, 'nameB'), text(input, 'countryB'))]
  const hit = compareIdentities({ ...a, id: null }, { ...b, id: 'b', name: text(input, 'nameB'), facts: {} }, [], rules)
  const verdicts = {
    block: { zh: '拦截：视为同一家公司', en: 'Blocked: the same company' },
    warn: { zh: '提醒：可能重复，须写明原因', en: 'Warned: perhaps the same, a reason is needed' },
    pass: { zh: '通过：不重复', en: 'Passed: no duplicate' },
  }
  const decision = hit?.decision ?? 'pass'
  return {
    verdict: verdicts[decision],
    tone: decision === 'block' ? 'error' : decision === 'warn' ? 'warning' : 'success',
    lines: [
      { label: { zh: '名称一的查重键', en: 'Key of the first name' }, value: a.nameKey },
      { label: { zh: '名称一的核心', en: 'Core of the first name' }, value: a.nameCore },
      { label: { zh: '名称二的查重键', en: 'Key of the second name' }, value: b.nameKey },
      { label: { zh: '名称二的核心', en: 'Core of the second name' }, value: b.nameCore },
      { label: { zh: '相似度', en: 'Similarity' }, value: similarity(a.nameKey, b.nameKey).toFixed(4) },
      { label: { zh: '规则', en: 'Rule' }, value: hit ? engine.dictionaryLabel('dupRule', hit.rule) : '—' },
      { label: { zh: '得分', en: 'Score' }, value: String(hit?.score ?? 0) },
    ],
  }
}

/** How many records use each domain. */
async function domainEffect(rule: object, models: readonly EntityModel[], database: Database): Promise<JobReport> {
  const domains = (rule as { domains: readonly { domain: string }[] }).domains.map(({ domain }) => domain)
  const counts = models.map(
    ({ name, table }) =>
      sql`(select count(*) from ${sql.identifier(table)} c where c.domains ? d.domain and c.deleted_at is null) as ${sql.identifier(name)}`,
  )
  const { rows } = await database.query<{ domain: string } & Record<string, number>>(
    sql`select d.domain, ${sql.join(counts, sql`, `)} from unnest(${sql.param(domains)}::text[]) as d(domain) order by 2 desc, 1`,
  )
  return {
    figures: [{ id: 'domains', title: { zh: '域名', en: 'Domains' }, value: domains.length }],
    columns: [
      { id: 'domain', title: { zh: '域名', en: 'Domain' } },
      ...models.map(({ name, label: { zh, en } }) => ({
        id: name,
        title: { zh: `使用的${zh}`, en: `${en}s that use it` },
        kind: 'number' as const,
      })),
    ],
    rows: rows.slice(0, MOST_ROWS).map(({ domain, ...counted }) => ({
      id: domain,
      domain,
      ...Object.fromEntries(Object.entries(counted).map(([name, count]) => [name, Number(count)])),
    })),
    more: Math.max(0, rows.length - MOST_ROWS),
  }
}
