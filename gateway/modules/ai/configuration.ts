import { anyText, duration, optional, secret, setting, webAddress, wholeNumber } from '../../platform/configuration'

/** What an operator tells about the assistant. Without an endpoint it answers by itself. */
export const aiSettings = {
  aiBaseUrl: optional(
    'AI_BASE_URL',
    webAddress,
    'An OpenAI-compatible endpoint (`https://…/v1`) that the assistant asks. Without it the assistant answers by itself, without a model and without the network.',
  ),
  aiApiKey: secret('AI_API_KEY', 'Key of that endpoint.'),
  aiModel: setting('AI_MODEL', anyText, 'gpt-4o-mini', 'Model of that endpoint that answers.'),
  aiTimeout: setting(
    'AI_TIMEOUT',
    duration,
    '60s',
    'How long one answer of a model may take, its questions to the portal included.',
  ),
  aiDailyQuota: setting(
    'AI_DAILY_QUOTA',
    wholeNumber(0, 100_000),
    '300',
    'Questions that one person may ask the assistant on a day; 0 for any number.',
  ),
} as const
