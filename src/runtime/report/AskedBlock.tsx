import { useEffect, useState } from 'react'
import { ready } from '../../schema/formats'
import type { ReportBlockModel } from '../../schema/model'
import { isAborted, toFailure, type Failure } from '../../headless/failure'
import { useHost } from '../hostContext'
import { FailureState } from '../reading/FailureState'
import { Skeleton } from '../state'
import { askBlock, type Asking, type Told } from '../../headless/report/ask'
import { Block } from './Block'
import type { Shown } from '../../headless/report/shown'
import { reportTexts } from '../../headless/report/texts'

interface Settled {
  asking: Asking
  attempt: number
  told?: Told
  failure?: Failure
}

/** A block that counts by itself: it loads, fails and is asked again without the others. */
export const AskedBlock = ({ block, asking, shown }: { block: ReportBlockModel; asking: Asking; shown: Shown }) => {
  const { model } = asking
  const host = useHost()
  const texts = reportTexts[host.locale]
  const [attempt, setAttempt] = useState(0)
  const [settled, setSettled] = useState<Settled | null>(null)
  const closed = block.closed !== undefined

  useEffect(() => {
    if (closed) return
    const abort = new AbortController()
    // Without the names of countries their codes stand there; the numbers are worth showing all the same.
    const names = block.dimensions.some((id) => model.dimensions.some((own) => own.id === id && own.format === 'country'))
      ? ready('country').catch((error: unknown) => host.report(error, { formats: 'country' }))
      : Promise.resolve()
    Promise.all([askBlock(asking, block, abort.signal), names]).then(
      ([told]) => setSettled({ asking, attempt, told }),
      (error: unknown) => {
        if (!isAborted(error)) setSettled({ asking, attempt, failure: toFailure(error, host.locale) })
      },
    )
    return () => abort.abort()
  }, [asking, block, closed, host, model, attempt])

  if (closed) return <p className="sb-report-empty">{texts.closed(block.closed ?? '')}</p>
  const current = settled?.asking === asking && settled.attempt === attempt ? settled : null
  if (!current) return <Skeleton rows={block.type === 'figure' ? 1 : 4} columns={4} rowHeight={32} label={texts.loading} />
  if (current.failure) return <FailureState failure={current.failure} onRetry={() => setAttempt(attempt + 1)} texts={texts} />
  const { groups, totals, more, before, unconverted } = current.told ?? { groups: [], more: false, unconverted: 0 }
  return (
    <>
      <Block block={block} model={model} groups={groups} totals={totals} shown={shown} />
      {before && <p className="sb-report-note">{texts.comparedWith(before.from, before.to)}</p>}
      {more && <p className="sb-report-note">{texts.more(groups.length)}</p>}
      {unconverted > 0 && <p className="sb-report-note">{texts.unconverted(unconverted)}</p>}
    </>
  )
}
