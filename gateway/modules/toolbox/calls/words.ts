import { contextOf, ok, type Text } from '../../../platform/http'
import { findHits, type Word } from '../../../words'
import type { ModuleCall } from '../../module'
import { columnsOf, type ToolAnswer } from '../answer'

const TITLES: Readonly<Record<string, Text>> = {
  found: { zh: '命中文字', en: 'Found' },
  place: { zh: '位置', en: 'Place' },
  word: { zh: '敏感词', en: 'Word' },
  matchType: { zh: '匹配方式', en: 'Matching' },
  category: { zh: '类别', en: 'Kind' },
  level: { zh: '级别', en: 'Level' },
  action: { zh: '处理方式', en: 'Action' },
  replacement: { zh: '替换为', en: 'Replacement' },
}
/** The strictest first. */
const ACTIONS = ['reject', 'review', 'replace', 'pass']
/** Words that are in use; more are not matched at once. */
const MOST_WORDS = 20_000
const MOST_HITS = 500

type StoredWord = Word & { category: string; level: string; action: string; replacement: string | null }

/** POST /v2/toolbox/words: which words in use a text holds, where, and what becomes of it; only where words are kept. */
export const call: ModuleCall = ({ app, engine }) => {
  if (!engine.names().includes('biz.sensitiveWord')) return
  app.post<{ Body: { text: string; country?: string | null } }>(
    '/v2/toolbox/words',
    {
      schema: {
        tags: ['toolbox'],
        summary: 'Sensitive words in a text',
        body: {
          type: 'object',
          required: ['text'],
          additionalProperties: false,
          properties: {
            text: { type: 'string', minLength: 1, maxLength: 5_000 },
            country: { type: ['string', 'null'], pattern: '^[A-Z]{2}$' },
          },
        },
      },
      config: { permission: 'toolbox:sensitive-words' },
    },
    async (request) => {
      const context = contextOf(request)
      const { locale } = context
      const { text, country = null } = request.body
      const words = await engine.transaction(context, (entities) =>
        entities.list('biz.sensitiveWord', { where: [{ field: 'status', operator: 'eq', value: 'on' }], limit: MOST_WORDS }),
      )
      const hits = findHits(text, words as unknown as readonly StoredWord[], { country })
      const label = (dictionary: string, code: string): string => engine.dictionaryLabel(dictionary, code)[locale]
      const rows = hits.slice(0, MOST_HITS).map(({ word, found, start, end }) => ({
        ...{ found, place: `${start + 1}–${end}`, word: word.word, matchType: label('wordMatch', word.matchType) },
        ...{ category: label('wordCategory', word.category), level: label('wordLevel', word.level) },
        ...{ action: label('wordAction', word.action), replacement: word.replacement },
        tone: word.action === 'reject' ? 'error' : word.action === 'pass' ? null : 'warning',
      }))
      const strictest = ACTIONS.find((action) => hits.some(({ word }) => word.action === action))
      const verdict: Text = strictest
        ? {
            zh: `命中 ${hits.length} 处，最严的处理方式：${label('wordAction', strictest)}。`,
            en: `${hits.length} hits; the strictest action is ${label('wordAction', strictest)}.`,
          }
        : { zh: `在用的 ${words.length} 个词都没有命中。`, en: `None of the ${words.length} words in use was found.` }
      const answer: ToolAnswer = { columns: columnsOf(TITLES, locale), rows, notes: [verdict[locale]] }
      return ok(answer)
    },
  )
}
