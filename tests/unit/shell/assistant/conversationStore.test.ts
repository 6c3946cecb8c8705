import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAssistantCalls } from '../../../../src/shell/assistant/chat/assistantCalls'
import { ConversationStore } from '../../../../src/shell/assistant/chat/conversationStore'
import type { HostRequest } from '../../../../src/headless/host'
import { ANSWER, CHAT, goesOn, kept, play, refused, session, streamed, tokens } from './gatewayOfAnswers'

afterEach(() => void vi.unstubAllGlobals())

/** A conversation on a gateway whose other calls answer these. */
function open(answers: Record<string, unknown> = {}, uuid: string | null = null) {
  const requests: string[] = []
  const told: string[] = []
  const request = <T>({ method, path }: HostRequest): Promise<T> => {
    requests.push(`${method} ${path}`)
    const answer = answers[`${method} ${path}`] ?? (path.endsWith('/conversations') ? { uuid: 'v1', title: 't' } : {})
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as T)
  }
  const conversation = new ConversationStore(
    {
      calls: createAssistantCalls({ request }),
      stream: { connection: { host: '', tokens }, headers: () => ({}), log: (error) => told.push(`logged ${String(error)}`) },
      soon: (run) => void setTimeout(run),
      onCreated: () => told.push('created'),
      onChanged: () => undefined,
      onOver: () => told.push('over'),
    },
    uuid,
  )
  return { conversation, requests, told }
}
const states = ({ messageData }: ConversationStore) => messageData.map(({ chat }) => `${chat.userQuery}: ${chat.state}`)

describe('a conversation', () => {
  it('is made by its first question, which stands at once with an empty answer; the end rests (R235, R236, R238-R242, R341, R342)', async () => {
    const asked = play(() => streamed([session()]))
    const { conversation, requests, told } = open()
    conversation.write('  我这个月的收入多少 ')
    const sent = conversation.send(conversation.message, { path: '/crm/today', title: 'Today' })
    expect([conversation.loading, conversation.message, conversation.last?.chat.aiResponse, conversation.isStopSSE]).toEqual([
      true,
      '',
      '',
      false,
    ])
    await sent
    expect([requests[0], told[0], conversation.uuid]).toEqual(['POST /v2/ai/api/conversations', 'created', 'v1'])
    expect(asked[0]?.body).toEqual({
      stream: true,
      content: '我这个月的收入多少',
      conversationUuid: 'v1',
      about: { path: '/crm/today', title: 'Today' },
    })
    expect([conversation.loading, conversation.isStopSSE, conversation.last?.chat.aiResponse, conversation.announced]).toEqual([
      false,
      false,
      ANSWER,
      'done',
    ])
  })

  it('sends nothing empty, nothing while it waits, and 100 characters at most (R286, R288, R291)', async () => {
    const asked = play(() => streamed([], 'stay'))
    const { conversation } = open()
    await conversation.send(' \n ')
    conversation.write('问'.repeat(120))
    expect(conversation.message).toHaveLength(100)
    void conversation.send('one')
    void conversation.send('two')
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    expect(states(conversation)).toEqual(['one: thinking'])
    conversation.leave()
  })

  it('is stopped only after the gateway has begun, and tells it only then (R244, R245, R246, R343)', async () => {
    play(() => streamed([session().slice(0, session().indexOf('USD'))], 'stay'))
    const { conversation, requests } = open()
    void conversation.send('one')
    await conversation.stop()
    expect(requests).not.toContain('POST /v2/ai/api/chat/stop')
    void conversation.send('two')
    await vi.waitFor(() => expect(conversation.isStopSSE).toBe(true))
    await conversation.stop()
    expect([requests.at(-1), conversation.loading, conversation.last?.chat.state]).toEqual([
      'POST /v2/ai/api/chat/stop',
      false,
      'stopped',
    ])
  })

  it('says why it was not made, or why the question was refused, and can be asked again (R389, R390)', async () => {
    const { conversation } = open({ 'POST /v2/ai/api/conversations': new Error('数据库不可用') })
    await conversation.send('one')
    expect([conversation.loading, conversation.last?.chat.state, conversation.last?.chat.failure]).toEqual([
      false,
      'failed',
      '数据库不可用',
    ])
    const there = open({}, 'v1').conversation
    play(
      () => refused(429, 10010011, '今天的提问次数已用完'),
      () => streamed([session()]),
    )
    await there.send('two')
    expect([there.loading, there.last?.chat.failure]).toEqual([false, '今天的提问次数已用完'])
    await there.askAgain('two')
    expect([there.messageData.length, there.last?.chat.aiResponse]).toEqual([1, ANSWER])
  })

  it('goes on after a reload with the answer that is still being written, from where it was shown (R345, R413)', async () => {
    const half = ANSWER.slice(0, 7)
    const older = { ...kept(), uuid: 'c0', userQuery: 'before' }
    const asked = play(goesOn)
    const history = { chats: [kept('answering', half), older], hasMore: true }
    const { conversation } = open({ 'GET /v2/ai/api/conversations/v1/detail/cursor': history }, 'v1')
    await conversation.load()
    await vi.waitFor(() => expect(conversation.loading).toBe(false))
    expect(asked[0]?.from).toBe(`${CHAT}.0.7`)
    expect(conversation.messageData.map(({ chat }) => chat.uuid)).toEqual(['c0', CHAT])
    expect([conversation.last?.chat.aiResponse, conversation.hasMore]).toEqual([ANSWER, true])
  })

  it('becomes what another tab has made of it', async () => {
    play(goesOn)
    const answers: Record<string, unknown> = {
      'GET /v2/ai/api/conversations/v1/detail/cursor': { chats: [{ ...kept(), uuid: 'c0', userQuery: 'one' }], hasMore: false },
    }
    const { conversation } = open(answers, 'v1')
    await conversation.load()
    answers['GET /v2/ai/api/conversations/v1/detail/cursor'] = {
      chats: [kept('answering', ''), { ...kept(), uuid: 'c0', userQuery: 'one', like: 1 }],
      hasMore: false,
    }
    await conversation.refresh()
    await vi.waitFor(() => expect(conversation.last?.chat.aiResponse).toBe(ANSWER))
    expect(conversation.messageData.map(({ chat }) => chat.like)).toEqual([1, null])
  })

  it('shows that its history did not come, and only developers why (R393)', async () => {
    const { conversation, told } = open({ 'GET /v2/ai/api/conversations/v1/detail/cursor': new Error('down') }, 'v1')
    await conversation.load()
    expect([conversation.history, told]).toEqual(['failed', ['logged Error: down']])
  })
})
