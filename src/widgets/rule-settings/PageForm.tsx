import { Skeleton, Typography } from 'antd'
import { Suspense, useEffect, useMemo, useState } from 'react'
import type { FormModel } from '../../schema/model'
import { isAborted, toFailure } from '../../headless/failure'
import { useHost } from '../../runtime/hostContext'
import type { LoadedPage } from '../../headless/host'
import { EarlierNotice, loadCompiled } from '../../runtime/page'
import { pageScope } from '../../headless/scope'
import { lazyPart } from '../../runtime/part/lazyPart'

const FormView = lazyPart(async () => ({ default: (await import('../../runtime/form')).FormView }))

/** A form page by its name, in place. It stays open after it was submitted, and its answer is shown beside it. */
export const PageForm = ({
  page,
  values,
  onAnswer,
}: {
  page: string
  values: Readonly<Record<string, unknown>>
  onAnswer(answer: unknown): void
}) => {
  const host = useHost()
  const [state, setState] = useState<{ model: FormModel; page: LoadedPage } | { failed: string } | null>(null)
  const scope = useMemo(() => ({ ...pageScope(host, ''), query: {} }), [host])
  useEffect(() => {
    const abort = new AbortController()
    loadCompiled(host, page, abort.signal).then(
      ({ page: shown, result }) => {
        setState(
          result.ok && result.model.kind === 'form'
            ? { model: result.model, page: shown }
            : { failed: result.ok ? page : (result.problems[0]?.message[host.locale] ?? page) },
        )
      },
      (error: unknown) => {
        if (!isAborted(error)) setState({ failed: toFailure(error, host.locale).message })
      },
    )
    return () => abort.abort()
  }, [host, page])
  const loading = <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />
  if (!state) return loading
  if ('failed' in state) return <p role="alert">{state.failed}</p>
  return (
    <Suspense fallback={loading}>
      <EarlierNotice page={state.page} />
      {state.model.description && <Typography.Paragraph type="secondary">{state.model.description}</Typography.Paragraph>}
      <FormView model={state.model} scope={scope} values={values} quiet onDone={({ answer }) => onAnswer(answer)} />
    </Suspense>
  )
}
