import type { Http } from '../../http/client'
import { fieldsOf, readHistory, readQuestions, readSessions, readTags, type Chat, type Question, type Session } from './wire'

const BASE = '/v2/ai/api'
/** R345, R413 */
const HISTORY_PAGE = 10
/** R346, R414 */
const SUGGESTED = 3

/** The page that a question is asked from. */
export interface About {
  path: string
  title: string
}

/** The calls of the assistant that are no stream (R340); each rejects with RequestError. */
export function createAssistantCalls(http: Pick<Http, 'request'>) {
  const at = (...parts: string[]): string => [BASE, ...parts.map(encodeURIComponent)].join('/')
  return {
    /** R341 */
    async create(initialQuestion: string): Promise<string | null> {
      const answer = await http.request<unknown>({ method: 'POST', path: `${BASE}/conversations`, body: { initialQuestion } })
      const uuid = fieldsOf(answer)?.['uuid']
      return typeof uuid === 'string' ? uuid : null
    },
    async sessions(keyword: string): Promise<Session[]> {
      const query = keyword === '' ? {} : { keyword }
      return readSessions(await http.request<unknown>({ method: 'GET', path: `${BASE}/conversations`, query }))
    },
    async history(uuid: string, lastChatId: string | null): Promise<{ chats: Chat[]; hasMore: boolean }> {
      const query = { limit: HISTORY_PAGE, ...(lastChatId === null ? {} : { lastChatId }) }
      return readHistory(
        await http.request<unknown>({ method: 'GET', path: `${at('conversations', uuid)}/detail/cursor`, query }),
      )
    },
    /** R343 */
    async stop(chatUuid: string): Promise<void> {
      await http.request({ method: 'POST', path: `${BASE}/chat/stop`, body: { chatUuid } })
    },
    /** R344 */
    async pin(uuid: string, isTop: boolean): Promise<void> {
      await http.request({ method: 'PUT', path: `${at('conversations', uuid)}/top`, body: { isTop } })
    },
    async remove(uuid: string): Promise<void> {
      await http.request({ method: 'DELETE', path: at('conversations', uuid) })
    },
    async questions(currentType: string): Promise<Question[]> {
      const query = { limit: SUGGESTED, ...(currentType === '' ? {} : { currentType }) }
      return readQuestions(await http.request<unknown>({ method: 'GET', path: `${BASE}/common-questions/random`, query }))
    },
    /** R347 */
    async tags(likeType: 'LIKE' | 'DISLIKE'): Promise<string[]> {
      return readTags(await http.request<unknown>({ method: 'GET', path: at('feedback-tags', 'type', likeType) }))
    },
    /** R169, R348 */
    async rate(chatUuid: string, like: 1 | 0 | null, tags: readonly string[], content: string): Promise<void> {
      const body = { like, tag: tags.join(','), content, chatUuid }
      await http.request({ method: 'POST', path: `${BASE}/chat-user-feedbacks`, body })
    },
  }
}

export type AssistantCalls = ReturnType<typeof createAssistantCalls>
