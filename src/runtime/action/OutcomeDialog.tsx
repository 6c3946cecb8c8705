import '../plainTable.css'
import { Button, Modal } from 'antd'
import { useHost } from '../hostContext'
import { saveText, toCsv, toTsv, type OutcomeLine } from './outcome'
import { useTokenStyle } from '../tokens'
import { actionTexts } from './texts'

export interface OutcomeDialogProps {
  label: string
  lines: readonly OutcomeLine[]
  onClose(): void
}

/** What became of each record of a bulk action; copyable and downloadable. */
const OutcomeDialog = ({ label, lines, onClose }: OutcomeDialogProps) => {
  const host = useHost()
  const texts = actionTexts[host.locale]
  const style = useTokenStyle()
  const refused = lines.filter((line) => line.reason !== null).length
  const table = [
    [texts.record, texts.result, texts.reason],
    ...lines.map((line) => [line.title, line.reason === null ? texts.resultDone : '—', line.reason ?? '']),
  ]
  const copy = (): void => void host.copy(toTsv(table))
  return (
    <Modal
      open
      width={640}
      title={texts.refusedTitle(label)}
      onCancel={onClose}
      footer={[
        <Button key="copy" onClick={copy}>
          {texts.copyResult}
        </Button>,
        <Button key="download" onClick={() => saveText(toCsv(table), `${label}.csv`)}>
          {texts.downloadResult}
        </Button>,
        <Button key="close" type="primary" onClick={onClose}>
          {texts.close}
        </Button>,
      ]}
    >
      <p role="status">{texts.refusedSummary(lines.length - refused, refused)}</p>
      <div
        style={{ ...style, maxHeight: '50vh', overflow: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label={texts.refusedTitle(label)}
      >
        <table className="sb-plain">
          <thead>
            <tr>
              <th scope="col">{texts.record}</th>
              <th scope="col">{texts.result}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.id} data-refused={line.reason !== null || undefined}>
                <td>
                  <bdi>{line.title}</bdi>
                </td>
                <td>{line.reason ?? texts.resultDone}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  )
}
export default OutcomeDialog
