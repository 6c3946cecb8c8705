import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { Skeleton, State } from '../../../runtime/state'
import { designerTexts } from '../texts'
import type { Answer } from './useAnswer'

/** The content of an answer once it is there; bones before, the reason when it was refused. */
export const Shown = <T,>({ answer, children }: { answer: Answer<T>; children(data: T): ReactNode }) => {
  const texts = designerTexts[useHost().locale]
  if (answer.data !== null) return children(answer.data)
  if (!answer.failure) return <Skeleton rows={8} columns={3} rowHeight={36} label={texts.loading} />
  const denied = answer.failure.kind === 'denied'
  return (
    <State role="alert" title={denied ? texts.denied : texts.failed} text={answer.failure.message || texts.deniedText}>
      {!denied && (
        <Button type="primary" onClick={answer.reload}>
          {texts.retry}
        </Button>
      )}
    </State>
  )
}
