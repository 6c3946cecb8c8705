import './bind.css'
import { Alert, Button, Input, InputNumber, Radio, Select, Space, Steps } from 'antd'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { toFailure } from '../../../headless/failure'
import { isMailAddress } from '../../../headless/mail'
import { PROVIDERS, providerOf, serversOf, type MailProvider } from '../../../headless/mail/providers'
import { useHost } from '../../../runtime/hostContext'
import { State } from '../../../runtime/state'
import { useTokenStyle } from '../../../runtime/tokens'
import { bindAccount, type Binding } from './bindAccount'
import { bindTexts } from './texts'

const KEY = 'message:email:bind'

const Field = ({ label, help, children }: { label: string; help?: string; children: ReactNode }) => (
  <label className="sb-bind-field">
    <span>{label}</span>
    {children}
    {help && <small>{help}</small>}
  </label>
)

/** Binds a mailbox in three steps: its address, how it is reached, done. */
const Bind = () => {
  const host = useHost()
  const texts = bindTexts[host.locale]
  const style = useTokenStyle()
  const [step, setStep] = useState(0)
  const [binding, setBinding] = useState<Binding>({
    ...{ address: '', displayName: host.user.name, transport: 'local', imapHost: '', imapPort: 993, imapSecurity: 'tls' },
    ...{ smtpHost: '', smtpPort: 465, smtpSecurity: 'tls', authKind: 'password', login: '', secret: '' },
  })
  const [problem, setProblem] = useState<string | null>(null)
  const [provider, setProvider] = useState<MailProvider | null>(null)
  const [busy, setBusy] = useState(false)
  /** The mailbox whose server was asked before. */
  const [tried, setTried] = useState<string | null>(null)
  /** The address whose servers were filled in. */
  const [filled, setFilled] = useState<string | null>(null)
  const latest = useRef(binding)
  latest.current = binding
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const change = (part: Partial<Binding>): void => {
    setProblem(null)
    setBinding({ ...binding, ...part })
  }
  if (!host.can(KEY)) return <State role="status" title={texts.mayNot} text={texts.mayNotText} />

  /** Fills in how an address is reached; what was filled in for another address before makes room. */
  const fillIn = (address: string, found: MailProvider | null): void => {
    setProvider(found)
    setFilled(address)
    setBinding((before) => ({ ...before, address, ...serversOf(address, found) }))
  }
  const toServer = (event: FormEvent): void => {
    event.preventDefault()
    const address = binding.address.trim()
    if (!isMailAddress(address)) return setProblem(texts.wrongAddress)
    setStep(1)
    if (address === filled) return
    const known = providerOf(address)
    fillIn(address, known)
    if (known) return
    const began = serversOf(address, null)
    host
      .request<{ provider: string | null }>({ method: 'POST', path: '/v2/mail/provider', body: { address } })
      .then(({ provider: id }) => {
        const found = PROVIDERS.find((one) => one.id === id)
        // what somebody has typed meanwhile stays
        if (found && latest.current.address === address && latest.current.imapHost === began.imapHost) fillIn(address, found)
      })
      // it is a hint: one goes on with the usual names
      .catch(() => undefined)
  }
  const test = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    abort.current = new AbortController()
    const { signal } = abort.current
    try {
      const { id, outcome, reason } = await bindAccount(host, binding, tried, signal)
      if (signal.aborted) return
      setTried(id)
      if (outcome === 'works') setStep(2)
      else setProblem(outcome === 'slow' ? texts.slow : `${texts.failed(reason)} ${texts.failedHelp}`)
    } catch (error) {
      if (!signal.aborted) setProblem(texts.notBound(toFailure(error, host.locale).message))
    } finally {
      setBusy(false)
    }
  }
  const text = (name: 'imapHost' | 'smtpHost' | 'login') => (
    <Input value={binding[name]} onChange={(event) => change({ [name]: event.target.value })} required />
  )
  const port = (name: 'imapPort' | 'smtpPort') => (
    <InputNumber min={1} max={65_535} value={binding[name]} onChange={(value) => value !== null && change({ [name]: value })} />
  )
  const security = (name: 'imapSecurity' | 'smtpSecurity') => (
    <Select
      value={binding[name]}
      options={Object.entries(texts.securities).map(([value, label]) => ({ value, label }))}
      onChange={(value) => change({ [name]: value })}
    />
  )
  return (
    <section className="sb-bind" style={style}>
      <header>
        <h1>{texts.title}</h1>
        <p>{texts.lead}</p>
      </header>
      <Steps size="small" current={step} items={texts.steps.map((title) => ({ title }))} responsive={false} />
      <div className="sb-bind-card">
        {problem !== null && <Alert type="error" showIcon message={problem} role="alert" />}
        {step === 0 && (
          <form onSubmit={toServer}>
            <Field label={texts.address} help={texts.addressHelp}>
              <Input
                autoFocus
                type="email"
                autoComplete="email"
                value={binding.address}
                disabled={tried !== null}
                onChange={(event) => change({ address: event.target.value })}
              />
            </Field>
            <Field label={texts.displayName} help={texts.displayNameHelp}>
              <Input
                value={binding.displayName}
                maxLength={80}
                onChange={(event) => change({ displayName: event.target.value })}
              />
            </Field>
            <Button
              type="primary"
              htmlType="submit"
              disabled={binding.address.trim() === '' || binding.displayName.trim() === ''}
            >
              {texts.next}
            </Button>
          </form>
        )}
        {step === 1 && (
          <form onSubmit={(event) => void test(event)}>
            <Radio.Group
              className="sb-bind-ways"
              value={binding.transport}
              disabled={tried !== null || busy}
              onChange={(event) => change({ transport: event.target.value as Binding['transport'] })}
            >
              <Radio value="local">
                <strong>{texts.local}</strong>
                <small>{texts.localText}</small>
              </Radio>
              <Radio value="imapSmtp">
                <strong>{texts.server}</strong>
                <small>{texts.serverText}</small>
              </Radio>
            </Radio.Group>
            {binding.transport === 'imapSmtp' && (
              <fieldset disabled={busy}>
                <Alert
                  type="info"
                  message={provider ? texts.known(provider.name[host.locale]) : texts.guessed}
                  description={provider?.hint[host.locale]}
                />
                <div className="sb-bind-server">
                  <Field label={texts.imapHost}>{text('imapHost')}</Field>
                  <Field label={texts.imapPort}>{port('imapPort')}</Field>
                  <Field label={`IMAP ${texts.security}`}>{security('imapSecurity')}</Field>
                  <Field label={texts.smtpHost}>{text('smtpHost')}</Field>
                  <Field label={texts.smtpPort}>{port('smtpPort')}</Field>
                  <Field label={`SMTP ${texts.security}`}>{security('smtpSecurity')}</Field>
                </div>
                <Field label={texts.login}>{text('login')}</Field>
                <Field label={texts.authKind}>
                  <Select
                    value={binding.authKind}
                    options={Object.entries(texts.authKinds).map(([value, label]) => ({ value, label }))}
                    onChange={(authKind) => change({ authKind })}
                  />
                </Field>
                <Field
                  label={binding.authKind === 'oauth2' ? texts.refreshToken : texts.secret}
                  help={binding.authKind === 'oauth2' ? texts.refreshTokenHelp : texts.secretHelp}
                >
                  <Input.Password
                    autoComplete="off"
                    required={tried === null}
                    value={binding.secret}
                    onChange={(event) => change({ secret: event.target.value })}
                  />
                </Field>
              </fieldset>
            )}
            <Space>
              <Button type="primary" htmlType="submit" loading={busy}>
                {binding.transport === 'local' ? texts.bind : texts.test}
              </Button>
              <Button disabled={busy} onClick={() => (setProblem(null), setStep(0))}>
                {texts.back}
              </Button>
            </Space>
            {busy && binding.transport === 'imapSmtp' && <p role="status">{texts.testing}</p>}
          </form>
        )}
        {step === 2 && (
          <State role="status" title={texts.done(binding.address)} text={texts.doneText}>
            <Space wrap>
              <Button type="primary" autoFocus onClick={() => host.closePage('/message/email/write')}>
                {texts.write}
              </Button>
              <Button onClick={() => host.closePage('/message/email/inbox')}>{texts.inbox}</Button>
              <Button onClick={() => host.closePage('/message/email/set')}>{texts.settings}</Button>
            </Space>
          </State>
        )}
      </div>
    </section>
  )
}
export default Bind
