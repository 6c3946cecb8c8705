import type { SentEvent } from '../../stream/connection'
import { fieldsOf, isRunning, readBlock, readChat, readDocuments, readGuesses, textOf, type Block, type Chat } from './wire'

/** An event that is not what it says; nobody but developers is told (R393). */
export class MalformedEvent extends Error {
  override readonly name = 'MalformedEvent'
}

/**
 * The chat after one more event of its stream. The same event again changes nothing, an unknown one neither. Pure.
 *
 * @throws MalformedEvent when the data is not JSON, or not of this event.
 */
export function afterEvent(chat: Chat, { id, event, data }: SentEvent): Chat {
  const value = read(data)
  const fields = fieldsOf(value)
  switch (event) {
    case 'init': {
      if (typeof fields?.['chatUuid'] !== 'string') throw new MalformedEvent(`init: ${data}`)
      return { ...chat, uuid: fields['chatUuid'] }
    }
    case 'thinking':
      return { ...chat, doing: textOf(fields?.['text']) || chat.doing }
    case 'tool':
      return { ...chat, doing: textOf(fields?.['title']) || chat.doing }
    case 'message': {
      if (typeof fields?.['content'] !== 'string') throw new MalformedEvent(`message: ${data}`)
      const aiResponse = joined(chat.aiResponse, fields['content'], lengthAfter(id))
      return aiResponse === chat.aiResponse ? chat : { ...chat, aiResponse, state: 'answering', doing: null }
    }
    case 'kbdocs':
      if (!Array.isArray(value)) throw new MalformedEvent(`kbdocs: ${data}`)
      return { ...chat, kbDocuments: readDocuments(value) }
    case 'guessQuestions':
      if (!Array.isArray(value)) throw new MalformedEvent(`guessQuestions: ${data}`)
      return { ...chat, guessQuestions: readGuesses(value) }
    case 'understood':
    case 'table':
    case 'chart':
    case 'link': {
      const block = readBlock(value)
      if (block === null) throw new MalformedEvent(`${event}: ${data}`)
      return { ...chat, blocks: withBlock(chat.blocks, block) }
    }
    case 'error':
      return { ...chat, failure: textOf(fields?.['msg']) || chat.failure }
    case 'end': {
      const kept = readChat(fields?.['chat'])
      const failure = chat.failure
      if (kept) return { ...kept, failure }
      const state = fields?.['state']
      return { ...chat, doing: null, state: state === 'stopped' || state === 'failed' ? state : 'done' }
    }
    default:
      return chat
  }
}

/** How an answer that runs goes on after a lost connection: the last event that is known, else the length of what is shown. */
export const resumeFrom = ({ uuid, aiResponse }: Chat, lastId: string | null): string | null =>
  uuid === null ? null : (lastId ?? `${uuid}.0.${aiResponse.length}`)

/** What another look at the history says of a chat: an answer that runs here is never shorter than it was. */
export const newerOf = (here: Chat, there: Chat): Chat =>
  isRunning(there) && there.aiResponse.length < here.aiResponse.length
    ? here
    : { ...there, doing: here.doing, failure: here.failure }

/** Characters of the answer up to and with this event, which its id says; null where it does not. */
const lengthAfter = (id: string | null): number | null => {
  const length = /\.(\d+)$/.exec(id ?? '')?.[1]
  return length === undefined ? null : Number(length)
}

/** Appends a piece; of one that was there, or partly, only what is new. */
function joined(text: string, piece: string, length: number | null): string {
  if (length === null) return text + piece
  if (length <= text.length) return text
  return text + piece.slice(Math.max(0, text.length - (length - piece.length)))
}

/** A block that comes again takes the place of the one before. */
function withBlock(blocks: readonly Block[], block: Block): readonly Block[] {
  if (block.kind === 'understood') return [block, ...blocks.filter(({ kind }) => kind !== 'understood')]
  const text = JSON.stringify(block)
  return blocks.some((known) => JSON.stringify(known) === text) ? blocks : [...blocks, block]
}

function read(data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    throw new MalformedEvent(data.slice(0, 200))
  }
}
