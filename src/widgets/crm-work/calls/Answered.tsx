import { Alert, Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useHost } from '../../../runtime/hostContext'
import type { Answer } from './useAnswer'

/** What a call brought, bones while it runs, the reason when it failed. */
export const Answered = <T,>({ answer, children }: { answer: Answer<T>; children: (data: T) => ReactNode }) => {
  const zh = useHost().locale === 'zh'
  if (answer.data !== null) return children(answer.data)
  if (answer.failed === null)
    return (
      <div role="status" aria-busy="true" aria-label={zh ? '正在加载' : 'Loading'}>
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      </div>
    )
  return (
    <Alert
      type="error"
      showIcon
      message={answer.failed}
      action={<Button onClick={answer.reload}>{zh ? '重试' : 'Try again'}</Button>}
    />
  )
}
