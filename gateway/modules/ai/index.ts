/** The assistant: conversations, an engine of its own over the portal's data and documents, or a model. */
import type { GatewayModule } from '../module'
import { aiSettings } from './configuration'
import { stopAnswers } from './parts'
import { questionsStep, shippedStep } from './shipped'

/** The assistant in the gateway. */
export const ai: GatewayModule = {
  settings: aiSettings,
  steps: [shippedStep, questionsStep],
  stop: ({ engine }) => stopAnswers(engine),
}
