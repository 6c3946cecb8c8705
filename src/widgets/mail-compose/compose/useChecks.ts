import { useEffect, useMemo, useState } from 'react'
import { isMailAddress } from '../../../headless/mail'
import { useHost } from '../../../runtime/hostContext'
import { ask, type Letter } from './calls'
import { composeTexts } from './texts'

const PAUSE = 400

interface Owner {
  email: string
  ownerName: string | null
  ownedByOther: boolean
  customerCode: string | null
}

/** What is to be known of recipients before a mail goes. */
export interface Checks {
  byEmail: ReadonlyMap<string, string>
  sentences: readonly string[]
  /** Code of the customer of the first recipient who has one. */
  customerCode: string | null
}

const NONE: Checks = { byEmail: new Map(), sentences: [], customerCode: null }

/** Asks, a moment after they change, what speaks against recipients: a colleague's customer, an address outside, a list. */
export function useChecks({ accountId, to, cc, bcc }: Pick<Letter, 'accountId' | 'to' | 'cc' | 'bcc'>): Checks {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const emails = [...to, ...cc, ...bcc].map(({ email }) => email).filter(isMailAddress)
  const asked = JSON.stringify(emails)
  const [answer, setAnswer] = useState<{
    owners: readonly Owner[]
    checked: readonly { email: string; reason: string | null }[]
  } | null>(null)
  useEffect(() => {
    const list = JSON.parse(asked) as string[]
    if (list.length === 0) return setAnswer(null)
    let gone = false
    const timer = setTimeout(() => {
      Promise.all([
        ask<readonly Owner[]>(host, 'email/check/owner', { emails: list }),
        ask<readonly { email: string; reason: string | null }[]>(host, 'email/check/cc/email', { emails: list, accountId }),
      ]).then(
        ([owners, checked]) => {
          if (!gone) setAnswer({ owners, checked })
        },
        // a warning that cannot be had hinders nobody
        () => undefined,
      )
    }, PAUSE)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [host, asked, accountId])
  return useMemo(() => {
    if (!answer) return NONE
    const byEmail = new Map<string, string>()
    const sentences: string[] = []
    const outside: string[] = []
    for (const { email, reason } of answer.checked) {
      if (reason === null) continue
      byEmail.set(email.toLowerCase(), texts.reasons[reason] ?? reason)
      if (reason === 'outside') outside.push(email)
    }
    if (outside.length > 0) sentences.push(texts.outside(outside.join(', ')))
    for (const { email, ownedByOther, ownerName, customerCode } of answer.owners) {
      if (!ownedByOther) continue
      const sentence = texts.ownedBy(email, ownerName ?? '', customerCode ?? '')
      byEmail.set(email.toLowerCase(), sentence)
      sentences.push(sentence)
    }
    const customerCode = answer.owners.find((one) => one.customerCode !== null)?.customerCode ?? null
    return { byEmail, sentences, customerCode }
  }, [answer, texts])
}
