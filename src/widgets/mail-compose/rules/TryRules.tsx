import { Alert, Button, Input, Select } from 'antd'
import { useState, type FormEvent } from 'react'
import { toFailure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { useTokenStyle } from '../../../runtime/tokens'
import '../settings/settings.css'
import { rulesTexts } from './texts'

interface Mailbox {
  accountId: string
  address: string
}

interface Answer {
  rule: { match: string; value: string | null } | null
  staff: { name: string } | null
}

/** Asks which rule of a mailbox would take a mail, before one comes. */
const TryRules = () => {
  const state = useCall<{ accounts: readonly Mailbox[] }>({ method: 'GET', path: '/v2/emailbox/account/staff/state' })
  return (
    <Loaded call={state} rows={1}>
      {({ accounts }) => <Trial accounts={accounts} />}
    </Loaded>
  )
}
const Trial = ({ accounts }: { accounts: readonly Mailbox[] }) => {
  const host = useHost()
  const texts = rulesTexts[host.locale]
  const style = useTokenStyle()
  const [accountId, setAccountId] = useState<string | null>(null)
  const [senderEmail, setSender] = useState('')
  const [subject, setSubject] = useState('')
  const [answer, setAnswer] = useState<{ text: string; type: 'success' | 'info' | 'error' } | null>(null)
  const chosen = accountId ?? accounts[0]?.accountId
  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    try {
      const body = { accountId: chosen, senderEmail: senderEmail.trim(), subject }
      const { rule, staff } = await host.request<Answer>({ method: 'POST', path: '/v2/mail/followRule/try', body })
      if (!rule || !staff) return setAnswer({ text: texts.none, type: 'info' })
      setAnswer({ text: texts.taken(staff.name, texts.matches[rule.match] ?? rule.match, rule.value ?? ''), type: 'success' })
    } catch (error) {
      setAnswer({ text: toFailure(error, host.locale).message, type: 'error' })
    }
  }
  if (accounts.length === 0) return <Alert type="info" message={texts.noMailbox} />
  return (
    <form className="sb-mail-try" style={style} aria-label={texts.title} onSubmit={(event) => void ask(event)}>
      <h2>{texts.title}</h2>
      <Select
        aria-label={texts.mailbox}
        value={chosen}
        options={accounts.map((one) => ({ value: one.accountId, label: one.address }))}
        onChange={setAccountId}
      />
      <Input
        aria-label={texts.sender}
        placeholder={texts.sender}
        value={senderEmail}
        onChange={({ target }) => setSender(target.value)}
      />
      <Input
        aria-label={texts.subject}
        placeholder={texts.subject}
        value={subject}
        onChange={({ target }) => setSubject(target.value)}
      />
      <Button htmlType="submit" disabled={!senderEmail.includes('@')}>
        {texts.tryIt}
      </Button>
      {answer && <Alert type={answer.type} message={answer.text} role="status" />}
    </form>
  )
}
export default TryRules
