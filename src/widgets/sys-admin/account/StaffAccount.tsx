import '../split/split.css'
import { Alert, Badge, Button, Descriptions, Flex } from 'antd'
import { useState } from 'react'
import { Authorize } from '../../../runtime/Authorize'
import { isAborted, toFailure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import type { WidgetProps } from '../../../runtime/widget'
import { Loaded } from '../../../runtime/reading/Loaded'
import { momentText } from '../../../runtime/reading/moment'
import { useCall } from '../../../runtime/reading/useCall'
import { EmailDialog } from './EmailDialog'
import { PasswordDialog, type OneTimePassword } from './PasswordDialog'
import { ReasonDialog } from './ReasonDialog'
import { accountTexts } from './texts'

/** The account of a member of staff, as far as this page needs it. */
interface Account {
  id: string
  name: string
  nameEn: string | null
  status: string
  signInDisabled: boolean | null
  lastSignInAt: string | null
}

/** Answer of a call that waits for somebody's confirmation. */
interface Waiting {
  waiting?: true
  needs: string
  confirmers: readonly string[]
}

const USER = '/v2/sys/staff/user'
/** Confirmers that a sentence names. */
const MOST_NAMED = 5
const EDIT_USERS = 'setModule:authManage:user:edit'

/** Whether a person may sign in, when they last did, and what an administrator can do about it. */
const StaffAccount = ({ values }: WidgetProps<object>) => {
  const host = useHost()
  const staffId = typeof values.staffId === 'string' ? values.staffId : null
  const call = useCall<{ record: Account }>(
    staffId === null ? null : { method: 'GET', path: `${USER}/view/${encodeURIComponent(staffId)}` },
  )
  if (staffId === null) return <p className="sb-admin-note">{accountTexts[host.locale].noStaff}</p>
  return (
    <Loaded call={call} rows={3}>
      {({ record }) => <AccountView account={record} onChanged={call.reload} />}
    </Loaded>
  )
}
export default StaffAccount

const AccountView = ({ account, onChanged }: { account: Account; onChanged(): void }) => {
  const host = useHost()
  const texts = accountTexts[host.locale]
  const [asking, setAsking] = useState(false)
  const [password, setPassword] = useState<OneTimePassword | null>(null)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [waiting, setWaiting] = useState<string | null>(null)
  const [mailing, setMailing] = useState(false)
  const name = (host.locale === 'en' && account.nameEn) || account.name
  const left = account.status === 'left'
  const closed = account.signInDisabled === true
  const oneself = account.id === host.user.staffId

  const attempt = async (label: string, work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setRefusal(null)
    setWaiting(null)
    try {
      await work()
    } catch (error) {
      if (!isAborted(error)) setRefusal(texts.failed(label, toFailure(error, host.locale).message))
    } finally {
      setBusy(false)
    }
  }
  const wait = ({ needs, confirmers }: Waiting): void => {
    setWaiting(texts.waits(needs, confirmers.slice(0, MOST_NAMED).join(host.locale === 'zh' ? '、' : ', '), confirmers.length))
  }
  const change = (disabled: boolean, reason: string): Promise<void> =>
    attempt(disabled ? texts.disable : texts.enable, async () => {
      const answer = await host.request<Partial<Waiting>>({
        method: 'POST',
        path: `${USER}/disable`,
        body: { id: account.id, disabled, reason },
        idempotent: true,
      })
      if (answer.waiting) return wait(answer as Waiting)
      host.notify('success', disabled ? texts.disabled : texts.enabled)
      return onChanged()
    })
  const reset = async (): Promise<void> => {
    const asked = { title: texts.resetTitle(name), content: texts.resetText, danger: true, okText: texts.reset }
    if (!(await host.confirm(asked))) return
    await attempt(texts.reset, async () => {
      const answer = await host.request<OneTimePassword | Waiting>({
        method: 'POST',
        path: `${USER}/resetPassword`,
        body: { id: account.id },
      })
      if ('waiting' in answer) wait(answer)
      else setPassword(answer as OneTimePassword)
    })
  }
  const changeEmail = (email: string): Promise<void> =>
    attempt(texts.email, async () => {
      const answer = await host.request<Partial<Waiting>>({
        method: 'POST',
        path: '/v2/sys/staff/access/email',
        body: { id: account.id, email },
        idempotent: true,
      })
      if (answer.waiting) return wait(answer as Waiting)
      host.notify('success', texts.emailChanged)
      return onChanged()
    })
  return (
    <Flex vertical gap={16} align="flex-start">
      {refusal && <Alert type="error" showIcon message={refusal} />}
      {waiting && <Alert type="info" showIcon message={waiting} />}
      <Descriptions
        size="small"
        column={1}
        items={[
          {
            key: 'state',
            label: texts.signIn,
            children: left ? (
              <Badge status="default" text={texts.left} />
            ) : closed ? (
              <Badge status="error" text={texts.closed} />
            ) : (
              <Badge status="success" text={texts.open} />
            ),
          },
          {
            key: 'last',
            label: texts.lastSignIn,
            children: account.lastSignInAt ? momentText(host, account.lastSignInAt) : texts.never,
          },
        ]}
      />
      {!left && (
        <Authorize permission={EDIT_USERS}>
          <Flex gap={8} wrap align="center">
            <Button loading={busy} onClick={() => void reset()}>
              {texts.reset}
            </Button>
            <Button disabled={busy} onClick={() => setMailing(true)}>
              {texts.email}
            </Button>
            <Button danger={!closed} disabled={oneself || busy} onClick={() => setAsking(true)}>
              {closed ? texts.enable : texts.disable}
            </Button>
            {oneself && <span className="sb-admin-note">{texts.oneself}</span>}
          </Flex>
        </Authorize>
      )}
      {asking && (
        <ReasonDialog
          title={closed ? texts.enableTitle(name) : texts.disableTitle(name)}
          text={closed ? null : texts.disableText}
          okText={closed ? texts.enable : texts.disable}
          danger={!closed}
          onClose={() => setAsking(false)}
          onReason={(reason) => {
            setAsking(false)
            void change(!closed, reason)
          }}
        />
      )}
      {mailing && (
        <EmailDialog
          name={name}
          onClose={() => setMailing(false)}
          onEmail={(email) => {
            setMailing(false)
            void changeEmail(email)
          }}
        />
      )}
      {password && <PasswordDialog password={password} onClose={() => setPassword(null)} />}
    </Flex>
  )
}
