import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Failure } from '../failure'
import { useHost } from '../hostContext'
import { Skeleton, State } from '../state'
import { readingTexts } from './texts'
import type { Call } from './useCall'

interface CallFailureProps {
  failure: Failure
  onRetry(): void
  /** Where to go when what was asked for is not there; without it, nothing is offered. */
  leave?: ReactNode
}

/** Why something could not be read, with what can be done about it. */
export const CallFailure = ({ failure, onRetry, leave }: CallFailureProps) => {
  const texts = readingTexts[useHost().locale]
  if (failure.kind === 'denied') {
    return (
      <State
        role="alert"
        title={texts.denied}
        text={failure.permission ? texts.deniedBy(failure.permission) : texts.deniedPlain}
      />
    )
  }
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

interface LoadedProps<T> {
  call: Call<T>
  /** Rows of the skeleton. */
  rows?: number
  leave?: ReactNode
  children(data: T): ReactNode
}

/** The content of a call once it is there; before that bones, on failure the reason. */
export const Loaded = <T,>({ call, rows = 6, leave, children }: LoadedProps<T>) => {
  const texts = readingTexts[useHost().locale]
  if (call.data !== null) return children(call.data)
  if (call.failure) return <CallFailure failure={call.failure} onRetry={call.reload} leave={leave} />
  return <Skeleton rows={rows} columns={1} rowHeight={32} label={texts.loading} />
}
