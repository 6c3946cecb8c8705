import { Alert, Button, Flex, Table } from 'antd'
import { useState } from 'react'
import { isAborted, toFailure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { momentText } from '../../../runtime/reading/moment'
import { useCall } from '../../../runtime/reading/useCall'
import { PasswordDialog, type OneTimePassword } from '../account/PasswordDialog'
import { AdminPage } from '../split/AdminPage'
import { accessTexts } from './texts'

/** A request as the gateway tells it. */
interface AccessRequest {
  id: string
  kind: string
  what: string
  detail: string | null
  reason: string | null
  person: string
  requestedBy: string
  expiresAt: string
  status: string
  decidedBy: string | null
  mine: boolean
  needs: string | null
}

interface Lists {
  toDecide: AccessRequest[]
  own: AccessRequest[]
}

const ACCESS = '/v2/sys/staff/access'

/** What waits for a second person who has all the rights that are at stake, and what became of one's own requests. */
const AccessRequests = () => {
  const call = useCall<Lists>({ method: 'GET', path: `${ACCESS}/list` })
  return (
    <Loaded call={call} rows={6}>
      {(lists) => <Requests lists={lists} onChanged={call.reload} />}
    </Loaded>
  )
}
export default AccessRequests

const Requests = ({ lists, onChanged }: { lists: Lists; onChanged(): void }) => {
  const host = useHost()
  const texts = accessTexts[host.locale]
  const [busy, setBusy] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [password, setPassword] = useState<OneTimePassword | null>(null)

  const decide = async ({ id, mine, kind, what, person }: AccessRequest, agree: boolean): Promise<void> => {
    const asked = {
      title: texts.confirmTitle(what, person),
      content: kind === 'reset' ? texts.resetText : texts.confirmText,
      danger: true,
      okText: texts.confirm,
    }
    if (agree && !(await host.confirm(asked))) return
    setBusy(id)
    setRefusal(null)
    try {
      const answer = await host.request<{ password?: OneTimePassword }>({
        method: 'POST',
        path: `${ACCESS}/decide`,
        body: { id, agree },
      })
      if (answer.password) setPassword(answer.password)
      else host.notify('success', agree ? texts.done : mine ? texts.withdrawn : texts.declined)
      onChanged()
    } catch (error) {
      const label = agree ? texts.confirm : mine ? texts.withdraw : texts.decline
      if (!isAborted(error)) setRefusal(texts.failed(label, toFailure(error, host.locale).message))
    } finally {
      setBusy(null)
    }
  }

  const columns = [
    { key: 'what', title: texts.what, dataIndex: 'what' },
    { key: 'person', title: texts.person, dataIndex: 'person' },
    { key: 'detail', title: texts.detail, render: (_: unknown, row: AccessRequest) => row.detail ?? row.reason ?? '' },
    { key: 'requestedBy', title: texts.asker, dataIndex: 'requestedBy' },
    { key: 'needs', title: texts.needs, dataIndex: 'needs' },
  ]
  const until = {
    key: 'until',
    title: texts.until,
    render: (_: unknown, row: AccessRequest) => momentText(host, row.expiresAt),
  }
  return (
    <AdminPage title={texts.toDecide} help={texts.toDecideHelp}>
      {refusal && <Alert type="error" showIcon message={refusal} />}
      <Table
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: true }}
        locale={{ emptyText: texts.nothing }}
        dataSource={lists.toDecide}
        columns={[
          ...columns,
          until,
          {
            key: 'decide',
            render: (_: unknown, row: AccessRequest) => (
              <Flex gap={8}>
                <Button size="small" type="primary" loading={busy === row.id} onClick={() => void decide(row, true)}>
                  {texts.confirm}
                </Button>
                <Button size="small" danger disabled={busy !== null} onClick={() => void decide(row, false)}>
                  {texts.decline}
                </Button>
              </Flex>
            ),
          },
        ]}
      />
      <h2 className="sb-admin-sub">{texts.own}</h2>
      <Table
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: true }}
        locale={{ emptyText: texts.noOwn }}
        dataSource={lists.own}
        columns={[
          ...columns,
          { key: 'status', title: texts.status, render: (_: unknown, row: AccessRequest) => texts.statuses[row.status] },
          { key: 'decidedBy', title: texts.decidedBy, dataIndex: 'decidedBy' },
          until,
          {
            key: 'withdraw',
            render: (_: unknown, row: AccessRequest) =>
              row.mine &&
              row.status === 'waiting' && (
                <Button size="small" disabled={busy !== null} onClick={() => void decide(row, false)}>
                  {texts.withdraw}
                </Button>
              ),
          },
        ]}
      />
      {password && <PasswordDialog password={password} onClose={() => setPassword(null)} />}
    </AdminPage>
  )
}
