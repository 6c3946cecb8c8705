import '../../../runtime/detail/detail.css'
import { useEffect, useMemo, useState } from 'react'
import { toRequest } from '../../../headless/call'
import type { CellContext } from '../../../runtime/cell'
import { Item } from '../../../runtime/detail/Item'
import { isVisible } from '../../../runtime/detail/Sections'
import type { ViewAnswer } from '../../../runtime/detail/useRecord'
import { isAborted, toFailure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import { loadCompiled } from '../../../runtime/page'
import { pageScope, pathOf } from '../../../headless/scope'
import type { DetailModel } from '../../../schema/model'
import { PortalLink } from '../parts/PortalLink'
import { taskTexts } from './texts'

/** As many facts as an approver takes in at one look; all of them stand on the page of the record. */
const MOST = 9

/** What the record of an application is like now: key figures and first section of its own detail page. */
const Facts = ({ address, id, code }: { address: string; id: string; code: string }) => {
  const host = useHost()
  const texts = taskTexts[host.locale]
  const [shown, setShown] = useState<{ model: DetailModel; answer: ViewAnswer } | { failed: string } | null>(null)
  const path = pathOf(address)
  useEffect(() => {
    const abort = new AbortController()
    const load = async (): Promise<void> => {
      const { result } = await loadCompiled(host, path, abort.signal)
      if (!result.ok || result.model.kind !== 'detail') return setShown({ failed: '' })
      const { model } = result
      const answer = await host.request<ViewAnswer>({ ...toRequest(model.viewCall, { id }), signal: abort.signal })
      setShown({ model, answer })
    }
    load().catch((error: unknown) => {
      if (isAborted(error) || abort.signal.aborted) return
      const failure = toFailure(error, host.locale)
      setShown({ failed: failure.kind === 'failed' ? failure.message : texts.noFacts })
    })
    return () => abort.abort()
  }, [host, path, id, texts])
  const context = useMemo<CellContext | null>(
    () =>
      shown && 'answer' in shown
        ? {
            host,
            scope: { ...pageScope(host, address), record: shown.answer.record, row: shown.answer.record },
            refs: shown.answer.refs ?? {},
            now: host.now().getTime(),
            whole: true,
          }
        : null,
    [host, shown, address],
  )
  return (
    <section className="sb-process-card">
      <div className="sb-process-head">
        <h2>{texts.object}</h2>
        <PortalLink address={address}>{texts.openObject(code)}</PortalLink>
      </div>
      {shown && 'failed' in shown && shown.failed !== '' && <p className="sb-process-note">{shown.failed}</p>}
      {shown && 'answer' in shown && context && (
        <dl className="sb-items" style={{ marginTop: 12 }}>
          {[...shown.model.states, ...shown.model.figures, ...(shown.model.sections[0]?.items ?? [])]
            .filter((item, index, all) => all.findIndex(({ id: other }) => other === item.id) === index)
            .filter((item) => isVisible(item, context))
            .slice(0, MOST)
            .map((item) => (
              <Item
                key={item.id}
                item={item}
                model={shown.model}
                record={shown.answer.record}
                context={context}
                canEdit={false}
                columns={3}
                named={false}
                onSaved={() => undefined}
              />
            ))}
        </dl>
      )}
    </section>
  )
}
export default Facts
