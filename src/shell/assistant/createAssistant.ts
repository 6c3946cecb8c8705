import { grayFlag } from '../http/gray'
import type { Portal } from '../portal/portal'
import { sessionStore } from '../session/storage'
import type { TokenKeeper } from '../token/tokenKeeper'
import { AssistantStore } from './assistantStore'
import { createAssistantCalls } from './chat/assistantCalls'

/** Longer than a frame: a tab that nobody sees has none. */
const UNSEEN = 200

/** The assistant of the person who is signed in, in this tab. */
export function createAssistant({ http, configuration, language }: Portal, tokens: TokenKeeper): AssistantStore {
  const calls = createAssistantCalls(http)
  return new AssistantStore({
    calls,
    storage: sessionStore(),
    stream: {
      // R353
      connection: { host: configuration.streamingHost || configuration.gateway, tokens },
      headers: () => {
        const gray = grayFlag()
        return {
          'Accept-Language': language.locale === 'zh' ? 'zh-CN' : 'en',
          ...(gray === null ? {} : { [configuration.headers.gray]: gray }),
        }
      },
      log: (error) => console.warn('Switchboard: assistant', error),
    },
    soon: (run) => (document.hidden ? void setTimeout(run, UNSEEN) : void requestAnimationFrame(run)),
    // whatever is asked next finds the session ended, and says so as everywhere
    onOver: () => void calls.sessions('').catch(() => undefined),
  })
}
