import { afterEach, describe, expect, it, vi } from 'vitest'
import { followAnswer } from '../../../../src/shell/assistant/chat/answerStream'
import { afterEvent, MalformedEvent, resumeFrom } from '../../../../src/shell/assistant/chat/chatEvents'
import { askedChat, type Chat } from '../../../../src/shell/assistant/chat/wire'
import { RefreshRefused } from '../../../../src/shell/token/tokenKeeper'
import { ANSWER, CHAT, goesOn, play, refused, session, streamed, tokens, type Plan } from './gatewayOfAnswers'

afterEach(() => void vi.unstubAllGlobals())

/** Follows an answer as the panel does. */
async function follow(...plans: Plan[]) {
  const asked = play(...plans)
  let chat: Chat = askedChat('我这个月的收入多少')
  let lastId: string | null = null
  const end = await followAnswer({
    connection: { host: '', tokens },
    headers: () => ({}),
    body: { stream: true },
    resumeFrom: () => resumeFrom(chat, lastId),
    onEvent: (event) => {
      lastId = event.id ?? lastId
      chat = afterEvent(chat, event)
    },
    signal: new AbortController().signal,
    log: () => undefined,
    waits: [0, 0],
  })
  return { chat, end, asked }
}

const bytes = new TextEncoder().encode(session())

describe('the stream of an answer', () => {
  it('says the same however its bytes are cut into pieces (R241, R350)', async () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { chat, end } = await follow(() => streamed([bytes.slice(0, cut), bytes.slice(cut)]))
      expect([end.type, chat.aiResponse, chat.state, chat.kbDocuments[0]?.documentName], `cut at ${cut}`).toEqual([
        'ended',
        ANSWER,
        'done',
        '销售手册',
      ])
    }
  })

  it('goes on where it broke off, whatever byte that was, and doubles nothing; before the first event nothing is sent twice (R349, R391)', async () => {
    const greeted = bytes.indexOf(10, session().indexOf('\n\n'))
    for (let cut = 0; cut < bytes.length; cut++) {
      const { chat, end, asked } = await follow(() => streamed([bytes.slice(0, cut)], 'break'), goesOn)
      if (chat.uuid === null) {
        expect([end.type, asked.length, cut <= greeted + 2], `cut at ${cut}`).toEqual(['lost', 1, true])
        continue
      }
      expect([end.type, chat.aiResponse, chat.state, asked.length], `cut at ${cut}`).toEqual(['ended', ANSWER, 'done', 2])
      expect(asked[1]?.from).toMatch(/^c1\.\d+\.\d+$/)
    }
  })

  it('is given up after some tries, or when the gateway only greets (R391)', async () => {
    const greeting = session().split(': ping')[0]!
    const { chat, end, asked } = await follow(() => streamed([greeting]))
    expect([end.type, asked.length, chat.state, chat.uuid]).toEqual(['lost', 3, 'thinking', CHAT])
  })

  it('is refused with a reason, e.g. the quota of the day, or without one (R390)', async () => {
    expect((await follow(() => refused(429, 10010011, '今天的提问次数已用完'))).end).toEqual({
      type: 'refused',
      message: '今天的提问次数已用完',
    })
    expect((await follow(() => refused(200, 10010004, 'gone'))).end).toEqual({ type: 'refused', message: 'gone' })
    expect((await follow(() => new Response('<html>', { status: 500 }))).end).toEqual({ type: 'refused', message: null })
  })

  it('takes a new token when the old one is refused in the middle, and ends with the session', async () => {
    const half = session().slice(0, session().indexOf('USD'))
    const broken = half.slice(0, half.lastIndexOf('\n\n') + 2)
    const { chat, end, asked } = await follow(
      () => streamed([broken]),
      () => new Response(null, { status: 401 }),
      goesOn,
    )
    expect([end.type, chat.aiResponse, asked.length]).toEqual(['ended', ANSWER, 3])
    const ended = { ...tokens, current: () => Promise.reject(new RefreshRefused()) }
    const none = followAnswer({
      connection: { host: '', tokens: ended },
      headers: () => ({}),
      body: {},
      resumeFrom: () => null,
      onEvent: () => undefined,
      signal: new AbortController().signal,
      log: () => undefined,
    })
    expect(await none).toEqual({ type: 'over' })
  })
})

describe('the events of an answer', () => {
  const event = (name: string, data: unknown, id = '') => ({
    id: id === '' ? null : id,
    event: name,
    data: typeof data === 'string' ? data : JSON.stringify(data),
  })
  const message = (content: string, id?: string) => event('message', { content, conversationUuid: 'v1', chatUuid: CHAT }, id)

  it('that come twice, or overlap, add what is new only', () => {
    let chat = askedChat('?')
    for (const [content, id] of [
      ['ab', 'c1.1.2'],
      ['ab', 'c1.1.2'],
      ['bc', 'c1.2.3'],
      ['abc', 'c1.0.3'],
      ['d', 'c1.3.4'],
    ] as const)
      chat = afterEvent(chat, message(content, id))
    expect(chat.aiResponse).toBe('abcd')
    expect(afterEvent(afterEvent(askedChat('?'), message('x')), message('x')).aiResponse).toBe('xx')
  })

  it('that are unknown change nothing; those that are not what they say are refused (R393)', () => {
    const chat = askedChat('?')
    expect(afterEvent(chat, event('weather', { sunny: true }))).toBe(chat)
    for (const [name, data] of [
      ['message', '{"content":'],
      ['message', { content: 5 }],
      ['init', []],
      ['kbdocs', { document_name: 'x' }],
      ['guessQuestions', 'null'],
      ['table', { kind: 'nonsense' }],
    ] as const)
      expect(() => afterEvent(chat, event(name, data)), name).toThrow(MalformedEvent)
  })

  it('bring sources, guesses and blocks; a block that comes again stands once (R165, R166, R351, R352)', () => {
    const table = {
      kind: 'table',
      columns: [{ id: 'a', title: 'A', align: 'right' }],
      rows: [['1']],
      links: ['/x'],
      more: false,
      caption: '',
    }
    let chat = askedChat('?')
    for (const one of [
      event('kbdocs', [{ document_name: 'D', reference_url: '/d' }, { nonsense: 1 }]),
      event('guessQuestions', ['a', 5, 'b']),
      event('table', table),
      event('understood', { kind: 'understood', parts: [{ kind: 'period', label: '期间', text: '本月', choices: [] }] }),
      event('table', table),
    ])
      chat = afterEvent(chat, one)
    expect(chat.kbDocuments).toEqual([{ documentName: 'D', documentUrl: '/d', section: '', quote: '' }])
    expect(chat.guessQuestions).toEqual(['a', 'b'])
    expect(chat.blocks.map(({ kind }) => kind)).toEqual(['understood', 'table'])
    expect(() => afterEvent(chat, event('link', { kind: 'link', label: 'x', path: '//evil.example' }))).toThrow(MalformedEvent)
  })
})
