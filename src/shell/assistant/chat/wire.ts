/** What the gateway says of the assistant (`/v2/ai/api`), read so that nothing else can make the panel fail. */

/** A conversation in the list (R160). */
export interface Session {
  uuid: string
  title: string
  isTop: boolean
  lastAt: string
}

/** A document that an answer stands on (R165); the wire calls them document_name and reference_url. */
export interface KbDocument {
  documentName: string
  documentUrl: string
  section: string
  quote: string
}

/** R167 */
export interface Question {
  question: string
  type: string
}

/** One part of "how I understood this", with what else it could have meant. */
export interface UnderstoodPart {
  label: string
  text: string
  choices: readonly { label: string; question: string }[]
}

interface TableBlock {
  kind: 'table'
  columns: readonly { id: string; title: string; align: 'left' | 'right' }[]
  rows: readonly (readonly string[])[]
  /** Where each row leads. */
  links: readonly (string | null)[]
  more: boolean
  caption: string
}
interface ChartBlock {
  kind: 'chart'
  chart: 'line' | 'bar'
  title: string
  unit: string
  points: readonly { name: string; value: number }[]
}
interface LinkBlock {
  kind: 'link'
  label: string
  path: string
}
interface UnderstoodBlock {
  kind: 'understood'
  parts: readonly UnderstoodPart[]
}
/** What stands beside the words of an answer. */
export type Block = UnderstoodBlock | TableBlock | ChartBlock | LinkBlock
export type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

export type ChatState = 'thinking' | 'answering' | 'done' | 'stopped' | 'failed'

/** A question with its answer (R163). */
export interface Chat {
  /** Null until the gateway has said which it is. */
  uuid: string | null
  userQuery: string
  /** Markdown. */
  aiResponse: string
  state: ChatState
  /** R164 */
  like: 1 | 0 | null
  kbDocuments: readonly KbDocument[]
  /** R166 */
  guessQuestions: readonly string[]
  blocks: readonly Block[]
  /** What it does now, while the first words are waited for. */
  doing: string | null
  /** Why there is no answer, in words. */
  failure: string | null
}

export const isRunning = ({ state }: Pick<Chat, 'state'>): boolean => state === 'thinking' || state === 'answering'

/** A question that was just asked (R239). */
export const askedChat = (userQuery: string): Chat => ({
  uuid: null,
  userQuery,
  aiResponse: '',
  state: 'thinking',
  like: null,
  kbDocuments: [],
  guessQuestions: [],
  blocks: [],
  doing: null,
  failure: null,
})

type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const listOf = <T>(value: unknown, read: (item: unknown) => T | null): T[] =>
  Array.isArray(value) ? value.map(read).filter((item) => item !== null) : []

const textList = (value: unknown): string[] => listOf(value, (item) => (typeof item === 'string' ? item : null))

const STATES: readonly ChatState[] = ['thinking', 'answering', 'done', 'stopped', 'failed']

export function readSessions(value: unknown): Session[] {
  return listOf(value, (item) => {
    const session = fieldsOf(item)
    if (typeof session?.['uuid'] !== 'string') return null
    const { uuid, title, isTop, lastAt } = session
    return { uuid, title: textOf(title), isTop: isTop === true, lastAt: textOf(lastAt) }
  })
}

export const readQuestions = (value: unknown): Question[] =>
  listOf(value, (item) => {
    const { question, type } = fieldsOf(item) ?? {}
    return typeof question === 'string' ? { question, type: textOf(type) } : null
  })

/** R168 */
export const readTags = (value: unknown): string[] =>
  listOf(value, (item) => {
    const tag = fieldsOf(item)?.['tagName']
    return typeof tag === 'string' ? tag : null
  })

export const readDocuments = (value: unknown): KbDocument[] =>
  listOf(value, (item) => {
    const document = fieldsOf(item)
    if (typeof document?.['document_name'] !== 'string') return null
    return {
      documentName: document['document_name'],
      documentUrl: textOf(document['reference_url']),
      section: textOf(document['section']),
      quote: textOf(document['quote']),
    }
  })

export const readGuesses = textList

/** One block; null for a kind that this panel does not draw. */
export function readBlock(value: unknown): Block | null {
  const block = fieldsOf(value)
  switch (block?.['kind']) {
    case 'understood':
      return { kind: 'understood', parts: listOf(block['parts'], readPart) }
    case 'table': {
      const columns = listOf(block['columns'], (item) => {
        const column = fieldsOf(item)
        if (column === null) return null
        const align = column['align'] === 'right' ? ('right' as const) : ('left' as const)
        return { id: textOf(column['id']), title: textOf(column['title']), align }
      })
      const rows = listOf(block['rows'], (item) => (Array.isArray(item) ? item.map((cell) => textOf(cell)) : null))
      const links = Array.isArray(block['links']) ? block['links'].map((link) => (typeof link === 'string' ? link : null)) : []
      return { kind: 'table', columns, rows, links, more: block['more'] === true, caption: textOf(block['caption']) }
    }
    case 'chart': {
      const points = listOf(block['points'], (item) => {
        const { name, value: amount } = fieldsOf(item) ?? {}
        return typeof amount === 'number' && Number.isFinite(amount) ? { name: textOf(name), value: amount } : null
      })
      const chart = block['chart'] === 'line' ? 'line' : 'bar'
      return { kind: 'chart', chart, title: textOf(block['title']), unit: textOf(block['unit']), points }
    }
    case 'link': {
      const path = textOf(block['path'])
      return isPlace(path) ? { kind: 'link', label: textOf(block['label']), path } : null
    }
    default:
      return null
  }
}

/** Whether an address leads to a place of the portal, and not to another host that begins with two slashes. */
export const isPlace = (address: string): boolean => /^\/(?![/\\])/.test(address)

function readPart(value: unknown): UnderstoodPart | null {
  const part = fieldsOf(value)
  if (part === null) return null
  const choices = listOf(part['choices'], (item) => {
    const { label, question } = fieldsOf(item) ?? {}
    return typeof question === 'string' ? { label: textOf(label), question } : null
  })
  return { label: textOf(part['label']), text: textOf(part['text']), choices }
}

/** A question with its answer as it is kept; null for what is none. */
export function readChat(value: unknown): Chat | null {
  const chat = fieldsOf(value)
  if (typeof chat?.['uuid'] !== 'string') return null
  const { like, state } = chat
  return {
    uuid: chat['uuid'],
    userQuery: textOf(chat['userQuery']),
    aiResponse: textOf(chat['aiResponse']),
    state: STATES.find((known) => known === state) ?? 'done',
    like: like === 1 || like === 0 ? like : null,
    kbDocuments: readDocuments(chat['kbDocuments']),
    guessQuestions: readGuesses(chat['guessQuestions']),
    blocks: listOf(chat['blocks'], readBlock),
    doing: null,
    failure: null,
  }
}

/** A page of the history: newest first (R345). */
export function readHistory(value: unknown): { chats: Chat[]; hasMore: boolean } {
  const page = fieldsOf(value)
  return { chats: listOf(page?.['chats'], readChat), hasMore: page?.['hasMore'] === true }
}
