import { Button } from 'antd'
import { useHost } from '../../../../runtime/hostContext'
import { momentText } from '../../../../runtime/reading/moment'
import { tellFailure } from '../../../../runtime/reading/tell'
import { textIn } from '../words'
import { noticeTexts } from './texts'
import type { Delivery, Named } from './types'

const LOG = '/setModule/process/notify/log'
const CALL = '/v2/wf/noticeLog/stateUpdate'
const COLORS: Readonly<Record<string, string>> = { done: 'green', failed: 'red', pushing: 'blue' }

interface DeliveriesProps {
  serviceId: string
  rows: readonly Delivery[]
  nameOfEvent(event: string): string
  states: readonly Named[]
  onReload(): void
}

/** What became of the last messages; what failed can be sent again. */
export const Deliveries = ({ serviceId, rows, nameOfEvent, states, onReload }: DeliveriesProps) => {
  const host = useHost()
  const texts = noticeTexts[host.locale]
  const retry = async ({ id, version }: Delivery): Promise<void> => {
    try {
      await host.request({
        method: 'POST',
        path: CALL,
        body: { ids: [id], field: 'status', transition: 'retry', version },
        idempotent: true,
      })
      host.notify('success', texts.retried)
      onReload()
    } catch (error) {
      tellFailure(host, error, 'chat notices')
    }
  }
  return (
    <section className="sb-process-effects" aria-label={texts.log}>
      <div className="sb-chat-notice-title">
        <h3>{texts.log}</h3>
        <Button size="small" type="link" onClick={() => host.navigate(`${LOG}?f.serviceId=in:${encodeURIComponent(serviceId)}`)}>
          {texts.whole}
        </Button>
      </div>
      {rows.length === 0 ? (
        <p className="sb-design-lead">{texts.nothing}</p>
      ) : (
        <div className="sb-chat-notice-log">
          <table>
            <thead>
              <tr>
                {[texts.at, texts.event, texts.state, texts.text, texts.answer].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td className="sb-chat-notice-short">{momentText(host, row.sentAt ?? row.createdAt)}</td>
                  <td className="sb-chat-notice-short">{nameOfEvent(row.event)}</td>
                  <td className="sb-chat-notice-short">
                    <span className={`sb-tag sb-tag-${COLORS[row.status] ?? 'default'}`}>
                      {textIn(states.find(({ code }) => code === row.status)?.label, host.locale) || row.status}
                    </span>
                    {row.attempts > 1 && ` × ${row.attempts}`}
                  </td>
                  <td>
                    <bdi>{row.title}</bdi>
                  </td>
                  <td>
                    <bdi>{row.lastError ?? row.answer ?? '—'}</bdi>
                  </td>
                  <td>
                    {row.status === 'failed' && (
                      <Button size="small" onClick={() => void retry(row)}>
                        {texts.retry}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
