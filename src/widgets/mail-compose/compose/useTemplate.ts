import { useState } from 'react'
import { companyToday } from '../../../headless/scope'
import { escapedText, filledWith, openVariables } from '../../../headless/mail'
import { useHost } from '../../../runtime/hostContext'
import { useCall } from '../../../runtime/reading/useCall'
import { ask, MAILBOX, type Letter, type MailFile } from './calls'
import { composeTexts } from './texts'

interface Template {
  subject: string | null
  bodyHtml: string
  attachments: readonly MailFile[] | null
}

/** Templates, and what they ask for. */
export interface TemplateWork {
  list: readonly { id: string; name: string }[]
  /** Takes one over: its subject where there is none, its text above what stands there, its files. */
  choose(id: string): Promise<void>
  /** What is asked for now. */
  asked: readonly string[] | null
  answer(values: Readonly<Record<string, string>>): void
  leave(): void
  /** Asks for what stands in braces still; true when it asks. */
  askFor(letter: Letter): boolean
}

const escapedValues = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapedText(value)]))

/** Fills templates in: what is known at once, the rest is asked for and never sent as braces. */
export function useTemplate(
  letter: Letter,
  change: (part: Partial<Letter>) => void,
  companies: ReadonlyMap<string, string>,
): TemplateWork {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const call = useCall<readonly { id: string; name: string }[]>({ method: 'GET', path: `${MAILBOX}/select/temp` })
  const [asked, setAsked] = useState<readonly string[] | null>(null)
  const fill = (part: Pick<Letter, 'subject' | 'body'>, values: Readonly<Record<string, string>>) => ({
    subject: filledWith(part.subject, values),
    body: filledWith(part.body, escapedValues(values)),
  })
  const ofLetter = ({ subject, body, signature }: Letter): string[] => openVariables(subject, body, signature)
  const choose = async (id: string): Promise<void> => {
    const template = await host.request<Template>({ method: 'GET', path: `${MAILBOX}/temp/view/${encodeURIComponent(id)}` })
    const [first] = letter.to
    const known = {
      'me.name': host.user.name,
      today: companyToday(host),
      ...(first?.name ? { 'contact.name': first.name } : {}),
      ...(first && companies.has(first.email.toLowerCase())
        ? { 'customer.name': companies.get(first.email.toLowerCase())! }
        : {}),
    }
    const given = fill({ subject: letter.subject || (template.subject ?? ''), body: template.bodyHtml + letter.body }, known)
    let { attachments } = letter
    if ((template.attachments ?? []).length > 0) {
      const { files, refused } = await ask<{ files: MailFile[]; refused: { name: string; reason: string }[] }>(
        host,
        '/v2/mail/message/takeFiles',
        { templateId: id },
      )
      attachments = [...attachments, ...files.map(({ id: fileId, name, size }) => ({ id: fileId, name, size }))]
      for (const { name, reason } of refused) host.notify('warning', texts.notTaken(name, reason))
    }
    change({ ...given, attachments })
    const open = openVariables(given.subject, given.body)
    if (open.length > 0) setAsked(open)
  }
  return {
    list: call.data ?? [],
    choose,
    asked,
    answer: (values) => {
      change({ ...fill(letter, values), signature: filledWith(letter.signature, escapedValues(values)) })
      setAsked(null)
    },
    leave: () => setAsked(null),
    askFor: (written) => {
      const open = ofLetter(written)
      if (open.length > 0) setAsked(open)
      return open.length > 0
    },
  }
}
