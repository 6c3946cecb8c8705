import './compose.css'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { isAborted, toFailure, type Failure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import { FailureState } from '../../../runtime/reading/FailureState'
import { momentText } from '../../../runtime/reading/moment'
import { readingTexts } from '../../../runtime/reading/texts'
import { tellFailure } from '../../../runtime/reading/tell'
import { Skeleton, State } from '../../../runtime/state'
import { useTokenStyle } from '../../../runtime/tokens'
import type { WidgetProps } from '../../../runtime/widget'
import { ask } from './calls'
import { TimedDialog } from './Dialogs'
import { dropLocally } from './localCopy'
import { takeBack } from './send'
import { begin, type Beginning } from './start'
import { composeTexts } from './texts'
import { Writer } from './Writer'

const NO_MAILBOX = '/message/email/none'

/** Writes what its address asks for; without a mailbox one binds one first. */
const Compose = ({ props, values }: WidgetProps<{ home?: string; isDocked?: boolean }>) => {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const style = useTokenStyle()
  const query = (values.query ?? {}) as Readonly<Record<string, string | undefined>>
  const key = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString()
  const [round, setRound] = useState(0)
  const [begun, setBegun] = useState<Beginning | { failure: Failure } | 'readOnly' | null>(null)

  useEffect(() => {
    let gone = false
    const start = async (): Promise<void> => {
      const asked = Object.fromEntries(new URLSearchParams(key))
      const found = await begin(host, asked, key)
      if (gone) return
      if (found) return setBegun(found)
      const { bound } = await host.request<{ bound: boolean }>({ method: 'GET', path: '/v2/emailbox/account/staff/state' })
      if (gone) return
      if (bound) setBegun('readOnly')
      else host.navigate(NO_MAILBOX, { replace: true })
    }
    start().catch((error: unknown) => {
      if (!gone && !isAborted(error)) setBegun({ failure: toFailure(error, host.locale) })
    })
    return () => {
      gone = true
    }
  }, [host, key, round])

  const again = (): void => {
    setBegun(null)
    setRound(round + 1)
  }
  if (begun === null) return <Skeleton rows={8} columns={1} rowHeight={40} label={readingTexts[host.locale].loading} />
  if (begun === 'readOnly')
    return (
      <State role="status" title={texts.readOnly} text={texts.readOnlyText}>
        <Button type="primary" onClick={() => host.navigate(NO_MAILBOX)}>
          {texts.bindOwn}
        </Button>
      </State>
    )
  if ('failure' in begun) return <FailureState failure={begun.failure} onRetry={again} />
  return (
    <div className="sb-write" style={style}>
      {begun.timed !== null && begun.draft ? (
        <Timed id={begun.draft.id} at={begun.timed} begun={begun} onChanged={again} />
      ) : (
        <Writer
          key={round}
          begun={begun}
          draftKey={key}
          home={props.home ?? null}
          isDocked={props.isDocked === true}
          onStartNew={() => {
            dropLocally(host, key)
            again()
          }}
        />
      )}
    </div>
  )
}
export default Compose

/** A mail that waits for its time: it is changed as a draft, or sent at another time. */
const Timed = ({ id, at, begun, onChanged }: { id: string; at: string; begun: Beginning; onChanged(): void }) => {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const [isChanging, setChanging] = useState(false)
  const run = (done: Promise<void>): void =>
    void done.catch((error: unknown) => tellFailure(host, error, 'a timed mail', (reason) => reason))
  const toDraft = async (): Promise<void> => {
    const address = await takeBack(host, id)
    host.closePage(address)
  }
  const change = async (timingTime: string): Promise<void> => {
    await ask(host, 'draft/update/timingTime', { id, timingTime })
    setChanging(false)
    host.notify('success', texts.timeChanged)
    onChanged()
  }
  return (
    <State role="status" title={texts.isTimed(momentText(host, at))} text={texts.isTimedText}>
      <p>{begun.letter.subject || texts.noSubject}</p>
      <div className="sb-mail-choices">
        <Button type="primary" onClick={() => run(toDraft())}>
          {texts.toDraft}
        </Button>
        <Button onClick={() => setChanging(true)}>{texts.changeTime}</Button>
      </div>
      {isChanging && (
        <TimedDialog
          to={begun.letter.to}
          customerCode={null}
          onDone={(moment) => run(change(moment))}
          onClose={() => setChanging(false)}
        />
      )}
    </State>
  )
}
