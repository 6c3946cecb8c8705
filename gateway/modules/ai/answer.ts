import type { Question } from './embedded'
import type { Voice } from './events'
import { languageOf } from './language/normalise'
import { ModelUnavailable } from './model/engine'
import type { AiParts } from './parts'

const REMEMBERED = 4

/** Answers a question: by the model where there is one, else, and when it cannot, by the embedded engine, which says so. */
export async function answer({ embedded, model, chats, onError }: AiParts, question: Question, voice: Voice): Promise<void> {
  const before = await chats.before(question.chatUuid, question.conversationUuid, REMEMBERED)
  voice.by('embedded')
  if (model) {
    try {
      return await model.answer(question, before, voice)
    } catch (error) {
      if (voice.signal.aborted) return undefined
      if (!(error instanceof ModelUnavailable)) throw error
      onError(error, 'the model of the assistant could not be asked')
      voice.say(
        languageOf(question.question) === 'zh'
          ? '_模型暂时不可用，以下由内置引擎回答。_\n\n'
          : '_The model cannot be reached just now; the embedded engine answers._\n\n',
      )
    }
  }
  await embedded.answer({ ...question, before: before[0]?.question }, voice)
  return undefined
}
