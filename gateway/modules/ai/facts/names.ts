import { tableOf, type EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'
import type { RequestContext } from '../../../platform/http'
import type { Named } from './understand'

/** Where names stand: of people, customers and suppliers. */
const PLACES: readonly { entity: string; columns: readonly string[] }[] = [
  { entity: 'sys.staff', columns: ['name', 'name_en', 'job_number'] },
  { entity: 'crm.customer', columns: ['name', 'short_name', 'name_en', 'alias', 'code'] },
  { entity: 'srm.supplier', columns: ['alias', 'name', 'name_en', 'code'] },
]
/** What companies are called besides their name. */
const LEGAL =
  '[ ,.]+(ltd|limited|inc|llc|gmbh|corp|corporation|co|company|plc|pte|pvt|sa|srl|bv|ag|kk|sdn|bhd|pty|lda|sarl|oy|ab|as|有限公司|股份有限公司|有限责任公司)[.]?$'

/** Names that stand in a question, the longest first; those that the caller may not see are marked. */
export async function namesIn(
  engine: EntityEngine,
  database: Database,
  context: RequestContext,
  question: string,
): Promise<Named[]> {
  const there = new Set(engine.names())
  const found = await Promise.all(
    PLACES.filter(({ entity }) => there.has(entity)).map(async ({ entity, columns }) => {
      const words = columns.flatMap((column) => [
        `lower(${column})`,
        ...(column === 'code' || column === 'job_number'
          ? []
          : [
              `regexp_replace(regexp_replace(lower(${column}), '${LEGAL}', ''), '${LEGAL}', '')`,
              `regexp_replace(lower(${column}), '(股份|科技|技术|信息|网络|通信|贸易|集团)*(有限责任|股份有限|有限)?公司$', '')`,
            ]),
      ])
      const { rows } = await database.query<{ id: string; title: string; word: string }>(
        `select t.id, ${entity === 'srm.supplier' ? 'coalesce(t.alias, t.code)' : 't.name'} as title, w.word from ${tableOf(entity)} t
         cross join lateral unnest(array[${words.map((word) => word.replace(/lower\(/g, 'lower(t.')).join(', ')}]) as w(word)
         where t.deleted_at is null and w.word is not null and length(w.word) >= case when w.word ~ '[一-鿿]' then 2 else 4 end
           and strpos($1, w.word) > 0 order by length(w.word) desc limit 20`,
        [question],
      )
      return rows.filter(({ word }) => stands(question, word)).map((row) => ({ ...row, entity }))
    }),
  )
  const longest = found.flat().sort((a, b) => b.word.length - a.word.length)
  const taken: string[] = []
  const named: Named[] = []
  for (const { entity, id, title, word } of longest) {
    if (
      taken.some((one) => one !== word && one.includes(word)) ||
      named.some((one) => one.entity === entity && (one.id === id || one.text === word))
    )
      continue
    taken.push(word)
    const seen = entity === 'sys.staff' || (await engine.count(entity, context, { ids: [id] }).catch(() => 0)) > 0
    named.push({ entity, id, title, text: word, hidden: !seen })
  }
  return named
}

/** A word of Latin script stands alone. */
function stands(question: string, word: string): boolean {
  const at = question.indexOf(word)
  const letter = /[a-z0-9]/
  return (
    !(letter.test(word[0] ?? '') && letter.test(question[at - 1] ?? '')) &&
    !(letter.test(word.at(-1) ?? '') && letter.test(question[at + word.length] ?? ''))
  )
}
