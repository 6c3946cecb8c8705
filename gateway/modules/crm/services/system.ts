import type { TransitionHook } from '../../../entities'
import type { Text } from '../../../platform/http'

/** Guard of transitions that only the portal itself performs: jobs and the effects of others. */
export const onlyThePortal = ({ context }: Pick<TransitionHook, 'context'>): Text | null =>
  context.kind === 'system' ? null : { zh: '由系统自动执行。', en: 'The portal does this by itself.' }
