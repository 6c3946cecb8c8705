import { useEffect, useState } from 'react'
import type { ReportModel } from '../../schema/model'
import { isAborted, toFailure } from '../../headless/failure'
import { useHost } from '../hostContext'
import { loadCompiled } from '../page/loadCompiled'
import ReportPage from './ReportPage'

const onlyBlock = (model: ReportModel, block: string | undefined): ReportModel =>
  block === undefined ? model : { ...model, blocks: model.blocks.filter(({ id }) => id === block) }

interface ReportCardsProps {
  report: string
  query?: Readonly<Record<string, unknown>>
  /** One block alone, without its title. */
  block?: string | undefined
}

/** The blocks of a report as cards inside another page; nothing for who may not see the report. */
const ReportCards = ({ report, query = {}, block }: ReportCardsProps) => {
  const host = useHost()
  const [model, setModel] = useState<ReportModel | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    loadCompiled(host, report, abort.signal).then(
      ({ result }) => setModel(result.ok && result.model.kind === 'report' ? onlyBlock(result.model, block) : null),
      (error: unknown) => {
        if (isAborted(error)) return
        const { kind, message } = toFailure(error, host.locale)
        if (kind !== 'denied') setFailure(message)
      },
    )
    return () => abort.abort()
  }, [host, report, block])
  if (failure !== null) return <p role="alert">{failure}</p>
  const given = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  return (
    model && (
      <ReportPage model={model} address={`?${given.toString()}`} path="" bare={block === undefined ? 'blocks' : 'content'} />
    )
  )
}
export default ReportCards
