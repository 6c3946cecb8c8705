import type { FormNode, PageDocument } from '../../../../src/schema/generated/page'
import type { RecordOf } from '../../../entities'
import type { Database } from '../../../platform/database'
import { choicesOf } from './score'

type Question = Pick<
  RecordOf<'csc.scoreQuestion'>,
  'id' | 'kind' | 'titleZh' | 'titleEn' | 'choices' | 'isRequired' | 'evaluateType'
>

/** How each kind of question is answered. */
const CONTROLS: Readonly<Record<string, FormNode>> = {
  stars: { type: 'integer', 'x-component': 'rate' },
  nps: {
    ...{ type: 'integer', 'x-component': 'radio', 'x-component-props': { buttons: true } },
    enum: Array.from({ length: 11 }, (_, value) => value),
    description: { zh: '0 完全不会 … 10 一定会', en: '0 not at all … 10 certainly' },
  },
  choice: { type: 'string', 'x-component': 'radio' },
  text: { type: 'string', format: 'text' },
}

const fieldOf = ({ id, kind, titleZh, titleEn, choices, isRequired, evaluateType }: Question): [string, FormNode] => [
  id,
  {
    ...{ ...CONTROLS[kind], title: { zh: titleZh, en: titleEn }, required: isRequired === true },
    ...(kind === 'choice' ? { enum: choicesOf(choices).map((label) => ({ label, value: label.zh })) } : {}),
    'x-visible': `{{ $values.evaluateType === ${JSON.stringify(evaluateType)} }}`,
  },
]

/** The form that rates: its questions are records, each is there for its kind of rating. Null = another page. */
export const ratingForm = (database: Database) => async (page: PageDocument) => {
  if (page.kind !== 'form' || page.submit?.call !== 'POST /v2/sys/staff/feedback/commitScore') return null
  const { rows } = await database.query<Question>(
    `select id, kind, title_zh as "titleZh", title_en as "titleEn", choices, is_required as "isRequired", evaluate_type as "evaluateType"
     from csc_score_question where enabled and deleted_at is null order by sort_no, id`,
  )
  const { schema } = page
  const properties = { ...schema.properties, ...Object.fromEntries(rows.map(fieldOf)) }
  return { key: JSON.stringify(rows), page: (): PageDocument => ({ ...page, schema: { ...schema, properties } }) }
}
