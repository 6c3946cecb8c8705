import { Alert, Button } from 'antd'
import { useState } from 'react'
import { addressText, type MailAddress } from '../../../headless/mail'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import { mailTexts } from '../parts/texts'
import type { Message } from '../parts/types'

/** Milliseconds beyond which the sender's own clock is told beside the moment of arrival. */
const DAY = 86_400_000

/** Who wrote to whom and when (R276-R278), whence it came, and what to be careful about. */
export const Head = ({ message }: { message: Message }) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [open, setOpen] = useState(false)
  const { receiveTime, sentTime, senderEmail, senderName, warnings } = message
  const first = warnings.length === 1 && warnings[0] === 'firstTimeSender'
  const differs = sentTime !== null && Math.abs(new Date(sentTime).getTime() - new Date(receiveTime).getTime()) > DAY
  return (
    <>
      {warnings.length > 0 && !first && (
        <Alert
          type="warning"
          showIcon
          message={
            <>
              <b>{texts.careful}</b>
              <ul className="sb-mail-warnings">
                {warnings.map((warning) => (
                  <li key={warning}>{texts.warnings[warning] ?? warning}</li>
                ))}
              </ul>
            </>
          }
        />
      )}
      {message.movedBecause && message.role === 'junk' && (
        <Alert type="info" showIcon message={texts.movedBecause(because(message.movedBecause, texts))} />
      )}
      <div className="sb-mail-from">
        <div>
          <bdi className="sb-mail-sender">{addressText({ email: senderEmail, name: senderName })}</bdi>
          <People label={texts.to} list={message.receiverEmailList} />
          {message.ccEmailList.length > 0 && <People label={texts.cc} list={message.ccEmailList} />}
        </div>
        <div className="sb-mail-times">
          <time dateTime={receiveTime} title={host.timeZone}>
            {momentText(host, receiveTime)}
          </time>
          <Button type="link" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {texts.details}
          </Button>
        </div>
      </div>
      {(open || differs || first) && (
        <div className="sb-mail-details">
          {open && message.bccEmailList.length > 0 && <People label={texts.bcc} list={message.bccEmailList} />}
          {open && message.replyToList.length > 0 && <People label={texts.replyTo} list={message.replyToList} />}
          {(open || differs) && (
            <p>
              {texts.received}: {momentText(host, receiveTime)} · {texts.sentAt}: {momentText(host, sentTime)}
            </p>
          )}
          {open && message.direction === 'in' && <p>{message.origin}</p>}
          {first && <p>{texts.warnings['firstTimeSender']}</p>}
        </div>
      )}
    </>
  )
}

/** Why it lies in spam; the gateway names warnings by their codes. */
const because = (why: string, texts: (typeof mailTexts)['zh' | 'en']): string =>
  why
    .split(', ')
    .map((one) => texts.warnings[one]?.replace(/[。.]$/u, '') ?? texts.because(one))
    .join(texts === mailTexts.zh ? '；' : '; ')

const SHOWN = 3

const People = ({ label, list }: { label: string; list: readonly MailAddress[] }) => {
  const [all, setAll] = useState(false)
  const shown = all ? list : list.slice(0, SHOWN)
  return (
    <p className="sb-mail-people">
      <span>{label}</span>{' '}
      {shown.map((address, index) => (
        <bdi key={`${address.email} ${index}`}>
          {index > 0 && ', '}
          {addressText(address)}
        </bdi>
      ))}
      {list.length > shown.length && (
        <Button type="link" size="small" onClick={() => setAll(true)}>
          +{list.length - shown.length}
        </Button>
      )}
      {list.length === 0 && '—'}
    </p>
  )
}
