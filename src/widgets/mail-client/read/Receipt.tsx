import { Button } from 'antd'
import { useState } from 'react'
import { tellChanged } from '../../../runtime/changes'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import { tellFailure } from '../../../runtime/reading/tell'
import { mailTexts } from '../parts/texts'
import type { Message } from '../parts/types'
import { MAIL } from '../parts/useMailboxes'

interface ReceiptProps {
  message: Message
  mayWrite: boolean
  onChanged(): void
}

/** Read receipts: whoever is asked for one says whether it goes, nothing sends it by itself; whoever asked sees who said that he read it. */
export const Receipt = ({ message, mayWrite, onChanged }: ReceiptProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [busy, setBusy] = useState(false)
  const { direction, receipts, receiptState, receiptTo, role } = message
  if (direction === 'out') {
    if (receiptTo === null) return null
    const read = receipts.map(({ email, at }) => texts.receiptCame(email, momentText(host, at)))
    return <p className="sb-mail-note">{read.length > 0 ? read.join(' · ') : texts.receiptWaits}</p>
  }
  if (receiptTo === null || !mayWrite || receiptState !== 'asked' || role === 'junk' || role === 'trash') return null
  const say = async (transition: 'receipt' | 'withoutReceipt'): Promise<void> => {
    setBusy(true)
    try {
      await host.request({
        method: 'POST',
        path: `${MAIL}/stateUpdate`,
        body: { ids: [message.id], field: 'followState', transition },
        idempotent: true,
      })
      if (transition === 'receipt') host.notify('success', texts.receiptSent)
      tellChanged(MAIL)
      onChanged()
    } catch (error) {
      tellFailure(host, error, 'mail.client receipt')
    }
    setBusy(false)
  }
  return (
    <p className="sb-mail-note">
      {texts.receiptAsked(receiptTo)}
      <Button type="link" size="small" disabled={busy} onClick={() => void say('receipt')}>
        {texts.sendReceipt}
      </Button>
      <Button type="link" size="small" disabled={busy} onClick={() => void say('withoutReceipt')}>
        {texts.noReceipt}
      </Button>
    </p>
  )
}
