import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Failure } from '../../headless/failure'
import { useHost } from '../hostContext'
import { State } from '../state'
import { Denied } from './Denied'
import { readingTexts } from './texts'

interface FailureTexts {
  denied: string
  missing: string
  missingText: string
  failed: string
  retry: string
}

interface FailureStateProps {
  failure: Failure
  onRetry(): void
  /** Where to go when what was asked for is not there; without it, nothing is offered. */
  leave?: ReactNode
  texts?: FailureTexts
}

/** Why something could not be read, with what can be done about it; `texts` where it is something particular. */
export const FailureState = ({ failure, onRetry, leave, texts: given }: FailureStateProps) => {
  const { locale } = useHost()
  const texts: FailureTexts = given ?? readingTexts[locale]
  if (failure.kind === 'denied') return <Denied title={texts.denied} permission={failure.permission} />
  // What is not there does not come by asking again.
  if (failure.kind === 'missing') {
    return (
      <State role="alert" title={texts.missing} text={texts.missingText}>
        {leave}
      </State>
    )
  }
  return (
    <State role="alert" title={texts.failed} text={failure.message}>
      <Button type="primary" onClick={onRetry}>
        {texts.retry}
      </Button>
    </State>
  )
}
