import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Failure } from '../failure'
import { useHost } from '../hostContext'
import { Skeleton, State } from '../state'
import { readingTexts } from './texts'
import type { Call } from './useCall'

/** Why something could not be read, with what can be done about it. */
export const CallFailure = ({ failure, onRetry }: { failure: Failure; onRetry(): void }) => {
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
  return (
    <State role="alert" title={failure.kind === 'missing' ? texts.missing : texts.failed} text={failure.message}>
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
  children(data: T): ReactNode
}

/** The content of a call once it is there; before that bones, on failure the reason. */
export const Loaded = <T,>({ call, rows = 6, children }: LoadedProps<T>) => {
  const texts = readingTexts[useHost().locale]
  if (call.data !== null) return children(call.data)
  if (call.failure) return <CallFailure failure={call.failure} onRetry={call.reload} />
  return <Skeleton rows={rows} columns={1} rowHeight={32} label={texts.loading} />
}
