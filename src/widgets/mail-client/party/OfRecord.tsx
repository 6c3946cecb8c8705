import { Button } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { mailTexts } from '../parts/texts'
import { useWriting } from '../parts/useWriting'
import { DealingsList, type PartyAsked } from './DealingsList'

interface OfRecordProps {
  party: PartyAsked
  /** Of one record of the party, e.g. the number of a bill: its mail names it. */
  word: string
}

/** The mail of a record, beside the rest of it. */
export const OfRecord = ({ party, word }: OfRecordProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [asked, setAsked] = useState({ keyword: word, page: 1 })
  const writing = useWriting('message')
  const { customerId } = party
  return (
    <>
      <div className="sb-mail-acts">
        <p className="sb-mail-note">{texts.dealingsHelp}</p>
        {customerId !== undefined && host.canOpen('/message/email/write') && (
          <Button size="small" onClick={() => writing({ customerId })}>
            {texts.write}
          </Button>
        )}
      </div>
      <DealingsList {...{ party, ...asked }} onAsk={setAsked} />
    </>
  )
}
