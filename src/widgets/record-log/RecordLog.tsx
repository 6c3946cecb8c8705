import { useEffect, useState } from 'react'
import DetailPage from '../../runtime/detail/DetailPage'
import { isAborted, toFailure, type Failure } from '../../headless/failure'
import { useHost } from '../../runtime/hostContext'
import { loadCompiled } from '../../runtime/page'
import { FailureState } from '../../runtime/reading/FailureState'
import { Skeleton, State } from '../../runtime/state'
import { useTokenStyle } from '../../runtime/tokens'
import type { WidgetProps } from '../../runtime/widget'
import type { DetailModel } from '../../schema/model'
import { recordLogTexts } from './texts'

/** Who did what to one record, for whoever may read the record. */
const RecordLog = ({ values }: WidgetProps<Record<string, never>>) => {
  const host = useHost()
  const style = useTokenStyle()
  const texts = recordLogTexts[host.locale]
  const { entity = '', id = '' } = (values.query ?? {}) as Readonly<Record<string, string | undefined>>
  const [model, setModel] = useState<DetailModel | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (entity === '') return
    const abort = new AbortController()
    setModel(null)
    setFailure(null)
    loadCompiled(host, `record:${entity}`, abort.signal).then(
      ({ result }) => {
        if (result.ok && result.model.kind === 'detail') setModel(result.model)
        else setFailure(toFailure(result.ok ? null : result.problems[0], host.locale))
      },
      (error: unknown) => !isAborted(error) && setFailure(toFailure(error, host.locale)),
    )
    return () => abort.abort()
  }, [host, entity, tries])
  if (entity === '' || id === '')
    return (
      <div style={style}>
        <State title={texts.none} text={texts.noneText} />
      </div>
    )
  if (failure) return <FailureState failure={failure} onRetry={() => setTries(tries + 1)} />
  if (!model) return <Skeleton rows={6} columns={2} rowHeight={41} label={texts.loading} />
  return <DetailPage model={model} address={`?${new URLSearchParams({ id }).toString()}`} path="" />
}
export default RecordLog
