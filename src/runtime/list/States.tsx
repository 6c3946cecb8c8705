import type { ReactNode } from 'react'
import type { Failure } from '../failure'
import { Denied } from '../reading/Denied'
import { State } from '../state'
import type { ListTexts } from './texts'

/** Why there are no rows when the call failed: no permission says whom to ask, anything else can be tried again. */
export const FailureState = ({ failure, texts, retry }: { failure: Failure; texts: ListTexts; retry: ReactNode }) =>
  failure.kind === 'denied' ? (
    <Denied title={texts.denied} permission={failure.permission} />
  ) : (
    <State role="alert" title={texts.failed} text={failure.message}>
      {retry}
    </State>
  )
