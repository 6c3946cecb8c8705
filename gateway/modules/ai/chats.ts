import { tableOf, type EntityEngine } from '../../entities'
import { startOfDay, dayOf } from '../../platform/calendar'
import { newId, type Database } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'
import { isOver, type Chat, type ChatState } from './events'

const CONVERSATIONS = tableOf('ai.conversation')
const CHATS = tableOf('ai.chat')
const MOST_CONVERSATIONS = 200
const TITLE = 30

interface ChatRow {
  id: string
  user_query: string
  ai_response: string | null
  state: ChatState
  liked: number | null
  kb_documents: Chat['kbDocuments'] | null
  guess_questions: string[] | null
  tool_calls: Chat['toolCalls'] | null
  blocks: Chat['blocks'] | null
  engine: string | null
  started_at: string
}

const told = (row: ChatRow): Chat => ({
  ...{ id: row.id, uuid: row.id, userQuery: row.user_query, aiResponse: row.ai_response ?? '', state: row.state },
  ...{ like: row.liked, kbDocuments: row.kb_documents ?? [], guessQuestions: row.guess_questions ?? [] },
  ...{ toolCalls: row.tool_calls ?? [], blocks: row.blocks ?? [], engine: row.engine ?? 'embedded', at: row.started_at },
})

export interface Conversation {
  uuid: string
  title: string
  isTop: boolean
  lastAt: string
}

/** Conversations and answers of people as they are kept. Those of somebody else are not there (10010004). */
export class Chats {
  constructor(
    private readonly engine: EntityEngine,
    private readonly database: Database,
  ) {}

  /** Begins a conversation that is called by its first question. */
  async begin(context: RequestContext, question: string): Promise<{ uuid: string; title: string }> {
    const title = [...question].slice(0, TITLE).join('')
    const staffId = context.user.staffId
    const values = { staffId, title, lastAt: context.now.toISOString(), isTop: false }
    const { id } = await this.engine.transaction(context, (entities) => entities.save('ai.conversation', values))
    return { uuid: id, title }
  }

  /** Those of the caller, pinned ones first, then by their last question. */
  async conversations({ user }: RequestContext, keyword = ''): Promise<Conversation[]> {
    const { rows } = await this.database.query<Conversation>(
      `select c.id as uuid, c.title, coalesce(c.is_top, false) as "isTop", c.last_at as "lastAt" from ${CONVERSATIONS} c
       where c.staff_id = $1 and c.deleted_at is null and ($2 = '' or strpos(lower(c.title), lower($2)) > 0
         or exists (select from ${CHATS} q where q.conversation_id = c.id and q.deleted_at is null and strpos(lower(q.user_query), lower($2)) > 0))
       order by coalesce(c.is_top, false) desc, c.last_at desc limit ${MOST_CONVERSATIONS}`,
      [user.staffId, keyword.trim()],
    )
    return rows
  }

  /** @throws ServiceError 10010004 when the caller has no such conversation */
  async own({ user }: RequestContext, uuid: string): Promise<void> {
    const { rows } = await this.database.query(
      `select from ${CONVERSATIONS} where id = $1 and staff_id = $2 and deleted_at is null`,
      [uuid, user.staffId],
    )
    if (rows.length === 0) throw new ServiceError('notFound')
  }

  async pin(context: RequestContext, uuid: string, isTop: boolean): Promise<void> {
    await this.own(context, uuid)
    await this.database.query(`update ${CONVERSATIONS} set is_top = $2 where id = $1`, [uuid, isTop])
  }

  /** A conversation and its answers are gone for everybody, at once and for good. */
  async remove(context: RequestContext, uuid: string): Promise<string[]> {
    await this.own(context, uuid)
    return this.database.transaction(async (tx) => {
      const { rows } = await tx.query<{ id: string }>(`delete from ${CHATS} where conversation_id = $1 returning id`, [uuid])
      await tx.query(`delete from ${CONVERSATIONS} where id = $1`, [uuid])
      await tx.query(`update ${tableOf('ai.feedback')} set chat_id = null where chat_id = any($1::text[])`, [
        rows.map(({ id }) => id),
      ])
      return rows.map(({ id }) => id)
    })
  }

  /** Answers of a conversation before one of them, the newest first. */
  async history(
    context: RequestContext,
    uuid: string,
    { lastChatId, limit }: { lastChatId?: string | undefined; limit: number },
  ): Promise<{ chats: Chat[]; hasMore: boolean }> {
    await this.own(context, uuid)
    const { rows } = await this.database.query<ChatRow>(
      `select q.* from ${CHATS} q where q.conversation_id = $1 and q.deleted_at is null
         and ($2::text is null or (q.started_at, q.id) < (select l.started_at, l.id from ${CHATS} l where l.id = $2 and l.conversation_id = $1))
       order by q.started_at desc, q.id desc limit $3`,
      [uuid, lastChatId ?? null, limit + 1],
    )
    return { chats: rows.slice(0, limit).map(told), hasMore: rows.length > limit }
  }

  /** One answer of the caller's. @throws ServiceError 10010004 */
  async chat({ user }: RequestContext, uuid: string): Promise<Chat & { conversationUuid: string }> {
    const { rows } = await this.database.query<ChatRow & { conversation_id: string }>(
      `select q.* from ${CHATS} q join ${CONVERSATIONS} c on c.id = q.conversation_id
       where q.id = $1 and c.staff_id = $2 and q.deleted_at is null and c.deleted_at is null`,
      [uuid, user.staffId],
    )
    if (!rows[0]) throw new ServiceError('notFound')
    return { ...told(rows[0]), conversationUuid: rows[0].conversation_id }
  }

  /** Keeps a question; one that is asked anew takes the place of `instead`. */
  async ask(context: RequestContext, question: { uuid: string; content: string; instead?: string | undefined }): Promise<string> {
    const { uuid, content, instead } = question
    await this.own(context, uuid)
    const id = newId()
    const now = context.now.toISOString()
    await this.database.transaction(async (tx) => {
      if (instead !== undefined)
        await tx.query(`update ${CHATS} set deleted_at = $3 where id = $1 and conversation_id = $2`, [instead, uuid, now])
      await this.engine.entities(tx, context).insertMany('ai.chat', [
        {
          ...{ id, conversationId: uuid, userQuery: content, state: 'thinking', startedAt: now },
          ...{ version: 1, createdAt: now, createdBy: context.user.staffId },
        },
      ])
      await tx.query(`update ${CONVERSATIONS} set last_at = $2 where id = $1`, [uuid, now])
    })
    return id
  }

  /** How many questions somebody asked on the company's day. */
  async askedToday({ user, now }: RequestContext): Promise<number> {
    const zone = this.database.companyTimeZone
    const { rows } = await this.database.query<{ asked: number }>(
      `select count(*)::int as asked from ${CHATS} where created_by = $1 and started_at >= $2`,
      [user.staffId, startOfDay(dayOf(now, zone), zone)],
    )
    return rows[0]?.asked ?? 0
  }

  /** What was asked before in the conversation, the newest first. */
  async before(chatId: string, conversationUuid: string, limit: number): Promise<{ question: string; answer: string }[]> {
    const { rows } = await this.database.query<{ question: string; answer: string | null }>(
      `select user_query as question, ai_response as answer from ${CHATS}
       where conversation_id = $1 and id <> $2 and deleted_at is null order by started_at desc, id desc limit $3`,
      [conversationUuid, chatId, limit],
    )
    return rows.map(({ question, answer }) => ({ question, answer: answer ?? '' }))
  }

  /** Keeps what there is of an answer; an answer that ended stays as it is. */
  async keep(chat: Chat, facts: { firstAt: string | null; endedAt: string | null; model: string | null; tokens: number | null }) {
    await this.database.query(
      `update ${CHATS} set ai_response = $2, state = $3, kb_documents = $4::jsonb, guess_questions = $5::jsonb, tool_calls = $6::jsonb,
         blocks = $7::jsonb, engine = $8, first_at = $9, ended_at = $10, model = $11, tokens = $12 where id = $1`,
      [
        ...[chat.id, chat.aiResponse, chat.state, JSON.stringify(chat.kbDocuments), JSON.stringify(chat.guessQuestions)],
        ...[JSON.stringify(chat.toolCalls), JSON.stringify(chat.blocks), chat.engine],
        ...[facts.firstAt, facts.endedAt, facts.model, facts.tokens],
      ],
    )
  }

  /** An answer whose gateway is gone ends as what came of it. */
  async giveUp(uuid: string, state: ChatState): Promise<void> {
    if (!isOver(state)) await this.database.query(`update ${CHATS} set state = 'failed' where id = $1`, [uuid])
  }

  /** Ends an answer of another gateway, which looks for it when it keeps the next piece. */
  async markStopped(uuid: string): Promise<void> {
    await this.database.query(`update ${CHATS} set state = 'stopped' where id = $1 and state in ('thinking', 'answering')`, [
      uuid,
    ])
  }

  async stateOf(uuid: string): Promise<ChatState | null> {
    const { rows } = await this.database.query<{ state: ChatState }>(`select state from ${CHATS} where id = $1`, [uuid])
    return rows[0]?.state ?? null
  }
}
