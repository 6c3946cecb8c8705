/** What an answer is made of, and how it travels (docs/calls.md, "The assistant"). */

/** A document that an answer rests on. */
export interface KbDocument {
  document_name: string
  /** A route of the portal. */
  reference_url: string
  section: string
  quote: string
}

/** What was asked of the portal for an answer. */
export interface ToolCall {
  tool: string
  title: string
  rows: number
  ms: number
  /** The caller has no right to it. */
  refused: boolean
}

/** One part of how a question was understood; each choice is the whole question with that part replaced. */
export interface UnderstoodPart {
  kind: 'subject' | 'measure' | 'period' | 'person' | 'record' | 'filter' | 'group'
  label: string
  text: string
  choices: readonly { label: string; question: string }[]
}

export type Block =
  | { kind: 'understood'; parts: readonly UnderstoodPart[] }
  | {
      kind: 'table'
      columns: readonly { id: string; title: string; align: 'left' | 'right' }[]
      rows: readonly (readonly string[])[]
      /** The route of each row's record. */
      links: readonly (string | null)[]
      more: boolean
      caption: string
    }
  | { kind: 'chart'; chart: 'line' | 'bar'; title: string; unit: string; points: readonly { name: string; value: number }[] }
  | { kind: 'link'; label: string; path: string }

export type ChatState = 'thinking' | 'answering' | 'done' | 'stopped' | 'failed'
export const isOver = (state: ChatState): boolean => state === 'done' || state === 'stopped' || state === 'failed'

/** An answer as it is told of a conversation. */
export interface Chat {
  id: string
  uuid: string
  userQuery: string
  aiResponse: string
  state: ChatState
  like: number | null
  kbDocuments: readonly KbDocument[]
  guessQuestions: readonly string[]
  toolCalls: readonly ToolCall[]
  blocks: readonly Block[]
  engine: string
  at: string
}

/** What an engine says while it answers. */
export interface Voice {
  say(text: string): void
  think(text: string): void
  show(block: Block): void
  called(call: ToolCall): void
  cite(documents: readonly KbDocument[]): void
  guess(questions: readonly string[]): void
  /** Which engine and model answers. */
  by(engine: 'embedded' | 'model', model?: string, tokens?: number): void
  /** The person stopped it. */
  readonly signal: AbortSignal
}
