import type { Question } from './embedded'
import type { Voice } from './events'
import type { AiParts } from './parts'

/** Answers a question by the engine that this gateway has. */
export async function answer({ embedded }: AiParts, question: Question, voice: Voice): Promise<void> {
  voice.by('embedded')
  await embedded.answer(question, voice)
}
