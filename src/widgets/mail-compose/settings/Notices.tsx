import './settings.css'
import { Button, Checkbox, Input, Select, Switch } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { tellFailure } from '../../../runtime/reading/tell'
import { useCall } from '../../../runtime/reading/useCall'
import { State } from '../../../runtime/state'
import { useTokenStyle } from '../../../runtime/tokens'
import { settingsTexts } from './texts'

interface Mailbox {
  id: string
  address: string
  displayName: string
  pushEnabled: boolean | null
}

interface ChatNotice {
  enabled: boolean
  from: string
  to: string
  onlyFollowed: boolean
  accounts: string[]
}

/** What one is told of new mail: in the portal by mailbox, in the chat with its hours. */
const Notices = () => {
  const style = useTokenStyle()
  const mailboxes = useCall<{ records: readonly Mailbox[] }>({
    method: 'POST',
    path: '/v2/mail/account/queryPage',
    body: { pageNo: 1, pageSize: 100, where: [{ field: 'state', operator: 'ne', value: 'unbound' }] },
  })
  const chat = useCall<ChatNotice>({ method: 'GET', path: '/v2/emailbox/dingNotice/query' })
  return (
    <div className="sb-mail-settings" style={style}>
      <Loaded call={mailboxes} rows={3}>
        {({ records }) => <Pushes mailboxes={records} />}
      </Loaded>
      <Loaded call={chat} rows={3}>
        {(notice) => <Chat notice={notice} mailboxes={mailboxes.data?.records ?? []} />}
      </Loaded>
    </div>
  )
}

const Pushes = ({ mailboxes }: { mailboxes: readonly Mailbox[] }) => {
  const host = useHost()
  const texts = settingsTexts[host.locale]
  const [changed, setChanged] = useState<Readonly<Record<string, boolean>>>({})
  const set = (accountId: string, enabled: boolean): void => {
    setChanged((all) => ({ ...all, [accountId]: enabled }))
    host
      .request({ method: 'POST', path: '/v2/emailbox/account/updateEmailSseStatus', body: { accountId, enabled } })
      .catch((error: unknown) => {
        setChanged((all) => ({ ...all, [accountId]: !enabled }))
        tellFailure(host, error, 'push of new mail')
      })
  }
  if (mailboxes.length === 0)
    return (
      <State role="status" title={texts.noMailbox}>
        <Button type="primary" onClick={() => host.navigate('/message/email/none')}>
          {texts.bind}
        </Button>
      </State>
    )
  return (
    <section>
      <h2>{texts.push}</h2>
      <p>{texts.pushHelp}</p>
      <ul>
        {mailboxes.map(({ id, address, displayName, pushEnabled }) => (
          <li key={id}>
            <Switch
              id={`push-${id}`}
              aria-label={address}
              checked={changed[id] ?? pushEnabled ?? true}
              onChange={(enabled) => set(id, enabled)}
            />
            <label htmlFor={`push-${id}`}>
              {displayName} <span>{address}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Chat = ({ notice, mailboxes }: { notice: ChatNotice; mailboxes: readonly Mailbox[] }) => {
  const host = useHost()
  const texts = settingsTexts[host.locale]
  const [values, setValues] = useState(notice)
  const [busy, setBusy] = useState(false)
  const change = (part: Partial<ChatNotice>): void => setValues({ ...values, ...part })
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      await host.request({ method: 'POST', path: '/v2/emailbox/dingNotice/update', body: values })
      host.notify('success', texts.saved)
    } catch (error) {
      tellFailure(host, error, 'chat notice of new mail')
    } finally {
      setBusy(false)
    }
  }
  return (
    <section>
      <h2>{texts.chat}</h2>
      <p>{texts.chatHelp}</p>
      <div className="sb-mail-chat">
        <label htmlFor="chat-enabled">{texts.enabled}</label>
        <Switch id="chat-enabled" checked={values.enabled} onChange={(enabled) => change({ enabled })} />
        <span>{texts.hours}</span>
        <span className="sb-mail-hours">
          <Input
            type="time"
            aria-label={texts.from}
            value={values.from}
            onChange={({ target }) => change({ from: target.value })}
          />
          –
          <Input type="time" aria-label={texts.to} value={values.to} onChange={({ target }) => change({ to: target.value })} />
        </span>
        <span />
        <Checkbox checked={values.onlyFollowed} onChange={({ target }) => change({ onlyFollowed: target.checked })}>
          {texts.onlyFollowed}
        </Checkbox>
        <label htmlFor="chat-accounts">{texts.accounts}</label>
        <Select
          id="chat-accounts"
          mode="multiple"
          value={values.accounts}
          options={mailboxes.map(({ id, address }) => ({ value: id, label: address }))}
          onChange={(accounts) => change({ accounts })}
        />
      </div>
      <Button type="primary" loading={busy} onClick={() => void save()}>
        {texts.save}
      </Button>
    </section>
  )
}
export default Notices
