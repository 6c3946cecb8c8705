import { Alert, Button, Collapse, Flex, Input, Radio, Select, Tag, Typography } from 'antd'
import { useState } from 'react'
import { RemoteSelect } from '../../../runtime/choice/SearchSelect'
import { isAborted, toFailure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import type { QueryWhere } from '../../../schema/model'
import { handOverTexts } from './texts'

export interface Owned {
  staff: { id: string; name: string; status: string; leftOn: string | null }
  leader: { id: string; name: string } | null
  customers: readonly { id: string; code: string; name: string; level: string; holding: string }[]
  others: readonly { entity: string; label: string; count: number }[]
}
interface Result {
  receivers: readonly { id: string; name: string; customers: number; counted: number; cap: number }[]
  /** Without a name: to the pool. */
  leads: readonly { id: string | null; name: string | null; label: string; count: number }[]
  toSea: number
}
type Mode = 'one' | 'split' | 'pool'

const POOL = 'pool'
const MOST_SUCCESSORS = 20
const ACTIVE: readonly QueryWhere[] = [{ field: 'status', operator: 'in', value: ['active', 'probation'] }]

/** The plan of a hand-over: mode, successors, exceptions; its preview; and leaving with it. */
export const Plan = ({ owned, onDone }: { owned: Owned; onDone(): void }) => {
  const host = useHost()
  const texts = handOverTexts[host.locale]
  const { staff, leader, customers, others } = owned
  const [mode, setMode] = useState<Mode>('one')
  const [successors, setSuccessors] = useState<readonly string[]>([])
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  const [single, setSingle] = useState<Readonly<Record<string, string>>>({})
  const [reason, setReason] = useState('')
  const [result, setResult] = useState<Result | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const [running, setRunning] = useState(false)

  /** A changed plan has another result. */
  const change = (work: () => void): void => {
    work()
    setResult(null)
  }
  const send = async (preview: boolean): Promise<Result | null> => {
    setRunning(true)
    setRefused(null)
    try {
      return await host.request<Result>({
        method: 'POST',
        path: `/v2/sys/staff/user/handover/${encodeURIComponent(staff.id)}`,
        body: {
          mode,
          successorIds: mode === 'pool' ? [] : successors,
          assignments: single,
          preview,
          ...(reason.trim() ? { reason: reason.trim() } : {}),
        },
        idempotent: !preview,
      })
    } catch (error) {
      if (!isAborted(error)) setRefused(texts.failed(toFailure(error, host.locale).message))
      return null
    } finally {
      setRunning(false)
    }
  }
  const leave = async (): Promise<void> => {
    if (!(await host.confirm({ title: texts.sure(staff.name), content: texts.sureText, danger: true, okText: texts.leave })))
      return
    if ((await send(false)) === null) return
    host.notify('success', texts.done(staff.name))
    onDone()
  }
  const people = successors.map((id) => ({ value: id, label: titles.get(id) ?? id }))

  return (
    <Flex vertical gap={16} style={{ maxWidth: 960 }}>
      <div>
        <Typography.Text strong>{texts.owns(customers.length)}</Typography.Text>
        {staff.leftOn && <Typography.Text type="warning"> {texts.leaving(staff.leftOn)}</Typography.Text>}
        {others.length > 0 && (
          <Flex gap={8} wrap style={{ marginBlockStart: 8 }}>
            <Typography.Text type="secondary">{texts.also}</Typography.Text>
            {others.map(({ entity, label, count }) => (
              <Tag key={entity}>
                {label} {count}
              </Tag>
            ))}
          </Flex>
        )}
      </div>
      <Flex vertical gap={8}>
        <Typography.Text id="hand-over-mode">{texts.mode}</Typography.Text>
        <Radio.Group
          aria-labelledby="hand-over-mode"
          value={mode}
          onChange={({ target }) => change(() => setMode(target.value as Mode))}
          options={[
            { value: 'one', label: texts.one },
            { value: 'split', label: texts.split },
            { value: 'pool', label: texts.pool },
          ]}
        />
        {mode !== 'pool' && (
          <RemoteSelect
            host={host}
            path="/v2/sys/staff/user"
            where={() => ACTIVE}
            multiple
            eager
            style={{ width: '100%', maxWidth: 560 }}
            aria-label={texts.successors}
            placeholder={texts.choose}
            maxCount={mode === 'one' ? 1 : MOST_SUCCESSORS}
            without={staff.id}
            value={successors}
            titleOf={(id) => titles.get(id)}
            onChange={(ids, found) =>
              change(() => {
                setSuccessors(ids)
                setTitles(new Map([...titles, ...found]))
              })
            }
          />
        )}
        <Typography.Text type="secondary">
          {texts.others} {leader && texts.leader(leader.name)}
        </Typography.Text>
      </Flex>
      {customers.length > 0 && (
        <Collapse
          size="small"
          items={[
            {
              key: 'single',
              label: texts.single,
              children: (
                <Flex vertical gap={8}>
                  <Typography.Text type="secondary">{texts.singleHelp}</Typography.Text>
                  {customers.map(({ id, code, name, level }) => (
                    <Flex key={id} gap={8} justify="space-between" wrap>
                      <span style={{ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' }}>
                        <bdi>{name}</bdi> {code} <Tag>{level.toUpperCase()}</Tag>
                      </span>
                      <Select
                        size="small"
                        style={{ width: 220 }}
                        aria-label={name}
                        value={single[id] ?? ''}
                        onChange={(to: string) =>
                          change(() => {
                            const { [id]: _before, ...rest } = single
                            setSingle(to === '' ? rest : { ...rest, [id]: to })
                          })
                        }
                        options={[{ value: '', label: texts.default }, ...people, { value: POOL, label: texts.toPool }]}
                      />
                    </Flex>
                  ))}
                </Flex>
              ),
            },
          ]}
        />
      )}
      {refused && <Alert type="error" showIcon message={refused} />}
      {result && (
        <Alert
          type="info"
          showIcon
          message={texts.result}
          description={
            <ul style={{ margin: 0, paddingInlineStart: 20 }}>
              {result.receivers.map((one) => (
                <li key={one.id}>
                  {one.name} {texts.gets(one.customers, one.counted, one.cap)}{' '}
                  {one.counted + one.customers > one.cap && <Tag color="orange">{texts.over}</Tag>}
                </li>
              ))}
              {result.toSea > 0 && <li>{texts.sea(result.toSea)}</li>}
              {result.leads.map(({ id, name, label, count }) => (
                <li key={`${label} ${id}`}>{texts.leads(name, label, count)}</li>
              ))}
            </ul>
          }
        />
      )}
      <label>
        {texts.reason}
        <Input value={reason} maxLength={200} onChange={(event) => setReason(event.target.value)} />
      </label>
      <Flex gap={8}>
        <Button
          loading={running}
          disabled={mode !== 'pool' && successors.length === 0}
          onClick={() => void send(true).then((answer) => answer && setResult(answer))}
        >
          {texts.preview}
        </Button>
        <Button type="primary" danger loading={running} disabled={result === null} onClick={() => void leave()}>
          {texts.leave}
        </Button>
      </Flex>
    </Flex>
  )
}
