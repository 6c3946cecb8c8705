import { Alert, Button, Input, Select, Space } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { timedAt, zoneOfAddress, zoneOfCountry, type MailAddress } from '../../../headless/mail'
import { Dialog } from '../../../runtime/dialog/Dialog'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import { wallClock } from '../../../schema/formats'
import { ask } from './calls'
import { composeTexts } from './texts'

/** Asks for what a template does not know by itself. */
export const AskDialog = ({
  names,
  onDone,
  onClose,
}: {
  names: readonly string[]
  onDone(values: Readonly<Record<string, string>>): void
  onClose(): void
}) => {
  const texts = composeTexts[useHost().locale]
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  return (
    <Dialog
      open
      title={texts.askTitle}
      okText={texts.askOk}
      okButtonProps={{ disabled: names.some((name) => !values[name]?.trim()) }}
      onOk={() => onDone(values)}
      onCancel={onClose}
    >
      <p>{texts.askText}</p>
      {names.map((name) => (
        <label key={name} className="sb-write-asked">
          <span>{texts.variables[name] ?? name}</span>
          <Input
            value={values[name] ?? ''}
            maxLength={200}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          />
        </label>
      ))}
    </Dialog>
  )
}

const MINUTE = 60_000
const MORNING = '08:30'

/** The zone of the customer whom a mail goes to, else the one that the address speaks of. */
const useTheirZone = (to: readonly MailAddress[], customerCode: string | null): string | null => {
  const host = useHost()
  const [found, setFound] = useState<string | null>(null)
  useEffect(() => {
    if (customerCode === null) return
    let gone = false
    ask<{ records: readonly { timeZone?: string | null; countryCode?: string | null }[] }>(host, '/v2/crm/customer/queryPage', {
      ...{ pageNo: 1, pageSize: 1, where: [{ field: 'code', operator: 'eq', value: customerCode }] },
    }).then(
      ({ records: [customer] }) => {
        if (!gone) setFound(customer?.timeZone ?? zoneOfCountry(customer?.countryCode ?? ''))
      },
      // whoever may not see the customer times by the address
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [host, customerCode])
  return found ?? to.map(({ email }) => zoneOfAddress(email)).find((zone) => zone !== null) ?? null
}

/** When a mail is sent, by one's own clock or the recipient's. */
export const TimedDialog = ({
  to,
  customerCode,
  onDone,
  onClose,
}: {
  to: readonly MailAddress[]
  customerCode: string | null
  onDone(moment: string): void
  onClose(): void
}) => {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const theirs = useTheirZone(to, customerCode)
  const [chosen, setChosen] = useState<string | null>(null)
  const zone = chosen ?? theirs ?? host.timeZone
  const now = wallClock(host.now().getTime(), zone)
  const tomorrow = now.add(1, 'day').format('YYYY-MM-DD')
  const monday = now.add((8 - now.day()) % 7 || 7, 'day').format('YYYY-MM-DD')
  const [day, setDay] = useState(tomorrow)
  const [clock, setClock] = useState(MORNING)
  const moment = useMemo(
    () => (/^\d{4}-\d\d-\d\d$/u.test(day) && /^\d\d:\d\d/u.test(clock) ? timedAt(day, clock, zone) : null),
    [day, clock, zone],
  )
  const isAhead = moment !== null && new Date(moment).getTime() - host.now().getTime() >= MINUTE
  const zones = [
    { value: host.timeZone, label: texts.myZone(host.timeZone) },
    ...(theirs !== null && theirs !== host.timeZone ? [{ value: theirs, label: texts.theirZone(theirs) }] : []),
    ...Intl.supportedValuesOf('timeZone')
      .filter((name) => name !== host.timeZone && name !== theirs)
      .map((name) => ({ value: name, label: name })),
  ]
  return (
    <Dialog
      open
      title={texts.timeTitle}
      okText={texts.timeOk}
      okButtonProps={{ disabled: !isAhead }}
      onOk={() => moment !== null && onDone(moment)}
      onCancel={onClose}
    >
      <Space direction="vertical" style={{ width: '100%' }}>
        <Space wrap>
          <Button size="small" onClick={() => (setDay(tomorrow), setClock(MORNING))}>
            {texts.tomorrow}
          </Button>
          <Button size="small" onClick={() => (setDay(monday), setClock(MORNING))}>
            {texts.monday}
          </Button>
        </Space>
        <div className="sb-mail-when">
          <label>
            <span>{texts.day}</span>
            <Input type="date" value={day} min={now.format('YYYY-MM-DD')} onChange={(event) => setDay(event.target.value)} />
          </label>
          <label>
            <span>{texts.clock}</span>
            <Input type="time" value={clock} onChange={(event) => setClock(event.target.value)} />
          </label>
        </div>
        <Select
          showSearch
          style={{ width: '100%' }}
          aria-label={texts.zone}
          value={zone}
          options={zones}
          optionFilterProp="label"
          onChange={setChosen}
        />
        <Alert
          type={isAhead ? 'info' : 'warning'}
          message={isAhead ? texts.inMine(momentText(host, moment)) : texts.tooSoon}
          role="status"
        />
      </Space>
    </Dialog>
  )
}
