import { useEffect, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { Shown } from '../calls/Shown'
import { useAnswer } from '../calls/useAnswer'
import { DesignSession } from '../document/session'
import type { Chosen, TargetState } from '../types'
import { Workbench } from './Workbench'

/** One document being changed: reads it, then opens the session that follows the work on it. */
export const Editor = ({ chosen, onGo }: { chosen: Chosen; onGo(next: Chosen | null): void }) => {
  const answer = useAnswer<TargetState>('/v2/sys/schema/target', { target: chosen.target, role: chosen.role ?? undefined })
  return (
    <Shown answer={answer}>
      {(state) => <Opened key={sessionKey(state)} state={state} chosen={chosen} onGo={onGo} onReload={answer.reload} />}
    </Shown>
  )
}

const states = new WeakMap<TargetState, number>()
let opened = 0
/** Each answer of the gateway is a session of its own. */
const sessionKey = (state: TargetState): number => {
  const known = states.get(state)
  if (known !== undefined) return known
  states.set(state, ++opened)
  return opened
}

interface OpenedProps {
  state: TargetState
  chosen: Chosen
  onGo(next: Chosen | null): void
  onReload(): void
}

const Opened = ({ state, chosen, onGo, onReload }: OpenedProps) => {
  const host = useHost()
  const [session] = useState(() => new DesignSession(host, state))
  useEffect(
    () => () => {
      void session.flush()
    },
    [session],
  )
  return <Workbench session={session} state={state} chosen={chosen} onGo={onGo} onReload={onReload} />
}
