import type { ReactNode } from 'react'
import { useHost } from '../hostContext'
import { Skeleton } from '../state'
import { FailureState } from './FailureState'
import { readingTexts } from './texts'
import type { Call } from './useCall'

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
  if (call.failure) return <FailureState failure={call.failure} onRetry={call.reload} leave={leave} />
  return <Skeleton rows={rows} columns={1} rowHeight={32} label={texts.loading} />
}
