import type { ReactNode } from 'react'
import type { Failure } from '../failure'
import { State } from '../state'
import type { ListTexts } from './texts'

/** Why there are no rows when the call failed: no permission names whom to ask, anything else can be tried again. */
export const FailureState = ({ failure, texts, retry }: { failure: Failure; texts: ListTexts; retry: ReactNode }) =>
  failure.kind === 'denied' ? (
    <State role="alert" title={texts.denied} text={failure.permission ? texts.deniedBy(failure.permission) : texts.deniedPlain} />
  ) : (
    <State role="alert" title={texts.failed} text={failure.message}>
      {retry}
    </State>
  )
