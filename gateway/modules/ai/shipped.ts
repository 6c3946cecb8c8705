import type { SqlStep } from '../../platform/database'
import { COMMON_QUESTIONS } from './questions'

const TAGS: readonly [string, string, 'LIKE' | 'DISLIKE'][] = [
  ['回答准确', 'Correct', 'LIKE'],
  ['容易理解', 'Easy to understand', 'LIKE'],
  ['速度快', 'Fast', 'LIKE'],
  ['解决了问题', 'Solved my problem', 'LIKE'],
  ['答非所问', 'Not what I asked', 'DISLIKE'],
  ['数据不对', 'Wrong figures', 'DISLIKE'],
  ['内容过时', 'Out of date', 'DISLIKE'],
  ['太慢', 'Too slow', 'DISLIKE'],
]

/** Tags of ratings stand in every database once; what was changed of them stays. */
export const shippedStep: SqlStep = {
  id: '2026-12-assistant-tags',
  run: async (tx) => {
    const rows = TAGS.map(([zh, en, like], index) => ({ id: `ai-tag-${index + 1}`, zh, en, like_type: like, no: index + 1 }))
    await tx.query(
      `insert into ai_tag (id, tag_name, tag_name_en, like_type, sort_no, created_at, updated_at, version)
       select g.id, g.zh, g.en, g.like_type, g.no, now(), now(), 1
       from jsonb_to_recordset($1::jsonb) as g(id text, zh text, en text, like_type text, no int) on conflict do nothing`,
      [JSON.stringify(rows)],
    )
  },
}

/** So do common questions. */
export const questionsStep: SqlStep = {
  id: '2026-12-assistant-questions',
  run: async (tx) => {
    const rows = COMMON_QUESTIONS.map((question, index) => ({ id: `ai-question-${index + 1}`, ...question }))
    await tx.query(
      `insert into ai_question (id, question_zh, question_en, module, permission, weight, enabled, created_at, updated_at, version)
       select g.id, g.zh, g.en, nullif(g.module, ''), nullif(g.permission, ''), 10, true, now(), now(), 1
       from jsonb_to_recordset($1::jsonb) as g(id text, zh text, en text, module text, permission text) on conflict do nothing`,
      [JSON.stringify(rows)],
    )
  },
}
