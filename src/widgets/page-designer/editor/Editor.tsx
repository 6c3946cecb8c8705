import { useEffect, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { DesignSession } from '../document/session'
import type { Chosen, TargetState } from '../types'
import { Workbench } from './Workbench'

/** One document being changed: reads it, then opens the session that follows the work on it. */
export const Editor = ({ chosen, onGo }: { chosen: Chosen; onGo(next: Chosen | null): void }) => {
  const answer = useCall<TargetState>({
    method: 'GET',
    path: '/v2/sys/schema/target',
    query: { target: chosen.target, role: chosen.role ?? undefined },
  })
  return (
    <Loaded call={answer}>
      {(state) => <Opened key={sessionKey(state)} state={state} chosen={chosen} onGo={onGo} onReload={answer.reload} />}
    </Loaded>
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
  useEffect(() => {
    window.addEventListener('pagehide', session.keep)
    document.addEventListener('visibilitychange', session.keep)
    return () => {
      window.removeEventListener('pagehide', session.keep)
      document.removeEventListener('visibilitychange', session.keep)
      void session.flush()
    }
  }, [session])
  return <Workbench session={session} state={state} chosen={chosen} onGo={onGo} onReload={onReload} />
}
