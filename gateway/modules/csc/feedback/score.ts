import { refusal, type Entities, type InputProblem } from '../../../entities'
import type { RecordOf } from '../../../entities'
import type { Locale, Text } from '../../../platform/http'

type Question = RecordOf<'csc.scoreQuestion'>

/** What a level means: the highest star and the highest recommendation that still belong to it. */
export const LEVELS = [
  { code: 'unhappy', color: 'red', stars: 2, nps: 6 },
  { code: 'neutral', color: 'gold', stars: 3, nps: 8 },
  { code: 'happy', color: 'green', stars: 5, nps: 10 },
] as const

/** A question as the dialog asks it. */
export const asked = ({ id, titleZh, titleEn, kind, choices, isRequired, evaluateType, sortNo }: Question) => ({
  ...{ id, evaluateType, kind, sortNo, required: isRequired === true, title: { zh: titleZh, en: titleEn } },
  options: kind === 'choice' ? choicesOf(choices) : [],
})

/** One choice a line, Chinese | English; its Chinese is what is kept. */
export function choicesOf(choices: string | null): Text[] {
  const lines = (choices ?? '').split('\n').map((line) => line.trim())
  return lines.filter(Boolean).map((line) => {
    const [zh = '', en = ''] = line.split('|').map((part) => part.trim())
    return { zh, en: en || zh }
  })
}

/** The questions that are asked now in their order, of one kind of rating. */
export const questionsOf = (entities: Entities, evaluateType: string): Promise<Question[]> =>
  entities.list('csc.scoreQuestion', {
    where: [
      { field: 'evaluateType', operator: 'eq', value: evaluateType },
      { field: 'enabled', operator: 'eq', value: true },
    ],
    sort: [{ field: 'sortNo', order: 'asc' }],
  })

const inRange = (value: unknown, from: number, to: number): boolean =>
  Number.isInteger(value) && Number(value) >= from && Number(value) <= to

const FITS: Readonly<Record<string, (value: unknown, choices: string | null) => boolean>> = {
  stars: (value) => inRange(value, 1, 5),
  nps: (value) => inRange(value, 0, 10),
  choice: (value, choices) => choicesOf(choices).some(({ zh }) => zh === value),
  text: (value) => typeof value === 'string' && value.length <= 1000,
}

/**
 * What answers come to: the mean of the stars, the recommendation, the level, what was written.
 * @throws ServiceError 10010005 that names the question for a missing or impossible answer
 */
export function reckon(questions: readonly Question[], answers: Readonly<Record<string, unknown>>, locale: Locale) {
  const given = questions.filter(({ id }) => !isEmpty(answers[id]))
  const problems = questions.flatMap((question): InputProblem[] => {
    const { id, kind, titleZh, titleEn, isRequired, choices } = question
    const told = (zh: string, en: string, rule: string) => [
      { field: id, rule, message: { zh: `${zh}：${titleZh}`, en: `${en}: ${titleEn}` } },
    ]
    if (isEmpty(answers[id])) return isRequired ? told('请回答', 'Please answer', 'required') : []
    return FITS[kind]!(answers[id], choices) ? [] : told('答案不符', 'This is no answer to', 'answer')
  })
  if (problems.length > 0) throw refusal('validationFailed', locale, problems)
  const of = (wanted: string): unknown[] => given.filter(({ kind }) => kind === wanted).map(({ id }) => answers[id])
  const stars = of('stars').map(Number)
  const total = stars.length === 0 ? null : stars.reduce((sum, one) => sum + one, 0) / stars.length
  const [nps = null] = of('nps').map(Number)
  const level = LEVELS.find((one) => (total === null ? nps !== null && nps <= one.nps : Math.round(total) <= one.stars))
  return {
    answers: Object.fromEntries(given.map(({ id }) => [id, answers[id]])),
    total: total === null ? null : total.toFixed(2),
    nps,
    level: level?.code ?? null,
    remark: of('text').join('\n').slice(0, 2000) || null,
  }
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''
