import type { Host } from '../../../headless/host'
import { addressText } from '../../../headless/mail'
import { momentText } from '../../../runtime/reading/moment'
import { mailTexts } from '../parts/texts'
import type { Message } from '../parts/types'
import { frameDocument, PAPER } from './frame'

const escaped = (text: string): string => text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;')

/** How long the frame that is printed stays: the dialog of the browser stands meanwhile. */
const STAYS = 60_000

/** Prints a message as a letter with its heading, without anything of the portal around it. */
export function printLetter(message: Message, host: Pick<Host, 'locale' | 'timeZone'>): void {
  const texts = mailTexts[host.locale]
  const lines = [
    [texts.from, addressText({ email: message.senderEmail, name: message.senderName })],
    [texts.to, message.receiverEmailList.map(addressText).join(', ')],
    ...(message.ccEmailList.length > 0 ? [[texts.cc, message.ccEmailList.map(addressText).join(', ')]] : []),
    [texts.received, momentText(host, message.receiveTime)],
  ]
  const head = `<h2>${escaped(message.subject || texts.noSubject)}</h2>${lines
    .map(([label = '', text = '']) => `<div><b>${escaped(label)}:</b> ${escaped(text)}</div>`)
    .join('')}<hr>`
  const frame = document.createElement('iframe')
  // the portal prints it, nothing in it runs
  frame.sandbox.add('allow-same-origin', 'allow-modals')
  frame.className = 'sb-mail-printed'
  frame.title = texts.print
  frame.srcdoc = frameDocument({
    content: head + message.content,
    colours: PAPER,
    language: host.locale,
    quoted: null,
    inside: new Map(),
    outside: new Map(),
  })
  frame.addEventListener('load', () => frame.contentWindow?.print(), { once: true })
  document.body.append(frame)
  setTimeout(() => frame.remove(), STAYS)
}
