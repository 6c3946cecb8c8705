import { useHost } from '../../../runtime/hostContext'
import { mailTexts } from '../parts/texts'
import type { Message } from '../parts/types'
import { shortMoment } from '../parts/when'

/** The conversation that a message belongs to, the newest first; each opens in its place. */
export const Thread = ({ message, onOpen }: { message: Message; onOpen(id: string): void }) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  return (
    <section className="sb-mail-thread">
      <h3>{texts.conversation(message.thread.length)}</h3>
      <ol>
        {message.thread.map(({ id, subject, senderEmail, senderName, receiveTime, seen }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === message.id || undefined}
              data-unread={!seen || undefined}
              onClick={() => onOpen(id)}
            >
              <bdi>{senderName || senderEmail || texts.nobody}</bdi>
              <bdi>{subject || texts.noSubject}</bdi>
              <time dateTime={receiveTime}>{shortMoment(host, receiveTime)}</time>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
