import { Alert, Checkbox, Input, Select } from 'antd'
import { useState } from 'react'
import { toFailure } from '../../../headless/failure'
import { isMailAddress, parseAddresses } from '../../../headless/mail'
import { Dialog } from '../../../runtime/dialog/Dialog'
import { useHost } from '../../../runtime/hostContext'
import { mailTexts } from '../parts/texts'
import type { Mailbox } from '../parts/types'

interface TransmitProps {
  ids: readonly string[]
  boxes: readonly Mailbox[]
  onClose(done: boolean): void
}

interface Answer {
  results: readonly { messageId: string; reason: string | null }[]
}

/** Passes chosen messages on, each as a mail of its own; what was refused says why. */
const Transmit = ({ ids, boxes, onClose }: TransmitProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const from = boxes.filter(({ right }) => right !== 'read')
  const [accountId, setAccountId] = useState(from[0]?.id)
  const [to, setTo] = useState('')
  const [asAttachment, setAsAttachment] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<readonly string[]>([])
  const addresses = parseAddresses(to)
  const isWell = addresses.length > 0 && addresses.every(({ email }) => isMailAddress(email)) && accountId !== undefined
  const send = (): void => {
    setBusy(true)
    host
      .request<Answer>({
        method: 'POST',
        path: '/v2/emailbox/email/batch/transmit',
        body: { messageIds: ids, accountId, to: addresses, asAttachment },
        idempotent: true,
      })
      .then(
        ({ results }) => {
          const reasons = results.flatMap(({ reason }) => (reason === null ? [] : [reason]))
          const sent = results.length - reasons.length
          if (sent > 0) host.notify('success', texts.transmitted(sent))
          if (reasons.length === 0) return onClose(true)
          setFailed([...new Set(reasons)])
        },
        (error: unknown) => setFailed([toFailure(error, host.locale).message]),
      )
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      open
      title={`${texts.transmit} · ${texts.selected(ids.length)}`}
      okText={texts.send}
      cancelText={texts.cancel}
      confirmLoading={busy}
      okButtonProps={{ disabled: !isWell }}
      onOk={() => isWell && send()}
      onCancel={() => onClose(false)}
    >
      <div className="sb-mail-form">
        {failed.map((reason) => (
          <Alert key={reason} type="error" showIcon message={reason} />
        ))}
        <label>
          {texts.sendTo}
          <Input.TextArea rows={2} value={to} placeholder={texts.sendToHelp} onChange={({ target }) => setTo(target.value)} />
        </label>
        <div>
          {texts.sendFrom}
          <Select
            aria-label={texts.sendFrom}
            value={accountId}
            options={from.map(({ id, address }) => ({ value: id, label: address }))}
            onChange={setAccountId}
          />
        </div>
        <Checkbox checked={asAttachment} onChange={({ target }) => setAsAttachment(target.checked)}>
          {texts.asFiles}
        </Checkbox>
      </div>
    </Dialog>
  )
}
export default Transmit
