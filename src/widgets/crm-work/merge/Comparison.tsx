import { Alert, Button, Flex, Input, Radio, Switch, Tag, theme, Typography } from 'antd'
import { Fragment, useState, type ReactNode } from 'react'
import type { PageField } from '../../../schema/model'
import { showPlain } from '../../../headless/plain'
import { groupDigits } from '../../../schema/formats'
import { isAborted, toFailure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import { usePhone } from '../../../runtime/media'
import type { Refs, Row } from '../../../headless/row'
import { mergeTexts } from './texts'

export interface MergePreview {
  records: readonly (Row & { id: string })[]
  refs: Refs
  writable: readonly boolean[]
  /** Fields that may be chosen. */
  fields: readonly string[]
  /** Lists whose entries can be kept together. */
  joinable: readonly string[]
  children: readonly { entity: string; label: string; counts: readonly number[] }[]
}

const ALL = 'all'
const LEAST_REASON = 2
const filled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
const same = (values: readonly unknown[]): boolean =>
  values.every((value) => JSON.stringify(value ?? null) === JSON.stringify(values[0] ?? null))

interface ComparisonProps {
  title: string
  /** Base path of the calls of the entity. */
  path: string
  /** The list that one comes from; its details stand below it. */
  list: string
  preview: MergePreview
  fields: readonly PageField[]
}

/** The table of choices. A field that the record that stays has empty takes the value of another one by itself. */
export const Comparison = ({ title, path, list, preview, fields }: ComparisonProps) => {
  const host = useHost()
  const texts = mergeTexts[host.locale]
  const phone = usePhone()
  const { token } = theme.useToken()
  const { records, refs, writable, joinable, children } = preview
  const [targetId, setTargetId] = useState(records[0]?.id ?? '')
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const [different, setDifferent] = useState(true)
  const [reason, setReason] = useState('')
  const [running, setRunning] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const target = records.find((record) => record.id === targetId)
  const may = writable.every(Boolean)

  const choiceOf = (field: string): string => {
    const own = chosen[field]
    if (own !== undefined) return own
    if (filled(target?.[field])) return targetId
    return records.find((record) => filled(record[field]))?.id ?? targetId
  }
  const offered = fields.filter((field) => preview.fields.includes(field.name))
  const owner = { name: 'ownerId', label: texts.owner }
  const rows = [owner, ...offered.map(({ name, label }) => ({ name, label }))].filter(
    ({ name }) => !different || !same(records.map((record) => record[name])),
  )
  const shown = (name: string, record: Row): string => {
    if (name === owner.name) return refs['sys.staff']?.[String(record.ownerId)]?.title ?? texts.empty
    const field = offered.find((entry) => entry.name === name)
    return (field && showPlain(field, record[name], host, record, refs)) || texts.empty
  }

  const merge = async (): Promise<void> => {
    const name = String(target?.name ?? '')
    if (!(await host.confirm({ title: texts.sure(name), content: texts.sureText, danger: true, okText: texts.merge }))) return
    setRunning(true)
    setRefused(null)
    const all = [owner.name, ...offered.map((field) => field.name)]
    const choices = all.map((field): [string, string] => [field, choiceOf(field)]).filter(([, choice]) => choice !== targetId)
    try {
      await host.request({
        method: 'POST',
        path: `${path}/merge`,
        body: {
          targetId,
          loserIds: records.map((record) => record.id).filter((id) => id !== targetId),
          fields: Object.fromEntries(choices),
          reason: reason.trim(),
        },
        idempotent: true,
      })
      host.notify('success', texts.merged(name))
      const address = `${list}/details?id=${encodeURIComponent(targetId)}&tagTitle=${encodeURIComponent(name)}`
      host.closePage()
      host.navigate(address)
    } catch (error) {
      if (!isAborted(error)) setRefused(texts.failed(toFailure(error, host.locale).message))
    } finally {
      setRunning(false)
    }
  }

  const cell = {
    border: `1px solid ${token.colorBorderSecondary}`,
    padding: '8px 12px',
    textAlign: 'start',
    verticalAlign: 'top',
  } as const
  /** A row of the table; on a phone its heading stands above the values, so that these have the width. */
  const row = (key: string, heading: ReactNode, cells: ReactNode): ReactNode =>
    phone ? (
      <Fragment key={key}>
        <tr>
          <th scope="colgroup" colSpan={records.length} style={{ ...cell, background: token.colorFillQuaternary }}>
            {heading}
          </th>
        </tr>
        <tr>{cells}</tr>
      </Fragment>
    ) : (
      <tr key={key}>
        <th scope="row" style={cell}>
          {heading}
        </th>
        {cells}
      </tr>
    )

  return (
    <Flex vertical gap={16}>
      <Typography.Title level={1} style={{ margin: 0, fontSize: 20 }}>
        {title}
      </Typography.Title>
      <Typography.Paragraph type="secondary" style={{ margin: 0 }}>
        {texts.help}
      </Typography.Paragraph>
      {!may && <Alert type="warning" showIcon message={texts.readOnly} />}
      <label>
        <Switch size="small" checked={different} onChange={setDifferent} /> {texts.onlyDifferent}
      </label>
      <div style={{ overflowX: 'auto', background: token.colorBgContainer }} tabIndex={0} role="region" aria-label={title}>
        <table
          style={{
            borderCollapse: 'collapse',
            minWidth: phone ? records.length * 160 : 240 + records.length * 220,
            width: '100%',
          }}
        >
          <thead>
            <tr>
              {!phone && (
                <th scope="col" style={cell}>
                  {texts.field}
                </th>
              )}
              {records.map((record) => (
                <th key={record.id} scope="col" style={cell}>
                  <Flex vertical gap={4} align="flex-start">
                    <bdi style={{ overflowWrap: 'anywhere' }}>
                      {String(record.name)} ({String(record.code)})
                    </bdi>
                    <Radio checked={record.id === targetId} onChange={() => setTargetId(record.id)} name="target">
                      {texts.keep}
                    </Radio>
                    {record.id !== targetId && <Tag>{texts.goes}</Tag>}
                  </Flex>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, label }) => {
              const alike = same(records.map((record) => record[name]))
              const heading = (
                <>
                  {label}
                  {joinable.includes(name) && !alike && (
                    <div>
                      <Radio
                        checked={choiceOf(name) === ALL}
                        onChange={() => setChosen({ ...chosen, [name]: ALL })}
                        name={`choice-${name}`}
                      >
                        {texts.all}
                      </Radio>
                    </div>
                  )}
                </>
              )
              return row(
                name,
                heading,
                records.map((record) => (
                  <td key={record.id} style={cell}>
                    {alike ? (
                      <bdi>{shown(name, record)}</bdi>
                    ) : (
                      <Radio
                        checked={choiceOf(name) === record.id}
                        onChange={() => setChosen({ ...chosen, [name]: record.id })}
                        name={`choice-${name}`}
                        aria-label={`${label}: ${shown(name, record)}`}
                      >
                        <bdi style={{ overflowWrap: 'anywhere' }}>{shown(name, record)}</bdi>
                      </Radio>
                    )}
                  </td>
                )),
              )
            })}
            {children.map(({ entity, label, counts }) =>
              row(
                entity,
                texts.moved(label),
                records.map((record, index) => (
                  <td key={record.id} style={{ ...cell, fontVariantNumeric: 'tabular-nums' }}>
                    {groupDigits(String(counts[index] ?? 0), host.locale)}
                  </td>
                )),
              ),
            )}
          </tbody>
        </table>
      </div>
      {refused && <Alert type="error" showIcon message={refused} />}
      <label>
        {texts.reason}
        <Input value={reason} maxLength={200} showCount onChange={(event) => setReason(event.target.value)} />
      </label>
      <Flex gap={8}>
        <Button
          type="primary"
          danger
          loading={running}
          disabled={!may || reason.trim().length < LEAST_REASON}
          onClick={() => void merge()}
        >
          {texts.merge}
        </Button>
        <Button onClick={() => host.closePage()}>{texts.cancel}</Button>
      </Flex>
    </Flex>
  )
}
