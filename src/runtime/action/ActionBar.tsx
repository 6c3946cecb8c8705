import './action.css'
import { Button } from 'antd'
import { Suspense, useState, type MouseEvent } from 'react'
import type { ActionModel, Scope } from '../../schema/model'
import { toFailure } from '../../headless/failure'
import { useHost } from '../hostContext'
import { Icon } from '../icon/Icon'
import { usePhone } from '../media'
import { offeredActions } from './rowActions'
import { actionTexts } from './texts'
import { lazyPart } from '../part/lazyPart'

const ActionMenu = lazyPart(() => import('./ActionMenu'), 'over')

/** Letters in the names of two buttons that stand beside each other, and before the arrows of a record, on a phone. */
const ROOM = 22

interface ActionBarProps {
  actions: readonly ActionModel[]
  scope: Scope
  running: string | null
  /** How many stand as buttons; the others are behind "more". On a phone one does, so that the buttons keep to one line. */
  shown?: number
  size?: 'small' | 'middle'
  onRun(action: ActionModel): void
}

/** Actions as buttons, the primary one first; what is not possible says why. */
export const ActionBar = ({ actions, scope, running, shown: wanted = 3, size = 'middle', onRun }: ActionBarProps) => {
  const host = useHost()
  const texts = actionTexts[host.locale]
  const phone = usePhone()
  const shown = phone ? Math.min(wanted, 1) : wanted
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const offers = offeredActions(actions, scope, (error, action) => {
    host.report(error, { where: action.source.where, at: action.source.at })
    return toFailure(error, host.locale).message
  }).sort((a, b) => Number(b.action.primary) - Number(a.action.primary))
  // A menu of one action is no gain, unless two long names break the line of a phone.
  const long = phone && wanted === 1 && offers.map(({ action }) => action.label).join('').length > ROOM
  const direct = offers.length > (long ? shown : shown + 1) ? offers.slice(0, shown) : offers
  const rest = offers.slice(direct.length)
  const pick = (id: string): void => {
    const found = offers.find((offer) => offer.action.id === id)
    if (found) onRun(found.action)
  }
  return (
    <>
      {direct.map(({ action, disabledBecause, address }) => (
        <Button
          key={action.id}
          size={size}
          type={action.primary ? 'primary' : 'default'}
          danger={action.danger}
          icon={action.icon === undefined ? undefined : <Icon name={action.icon} />}
          loading={running === action.id}
          aria-disabled={disabledBecause === null ? undefined : true}
          className={disabledBecause === null ? undefined : 'sb-not-now'}
          title={disabledBecause ?? undefined}
          href={address ?? undefined}
          onClick={(event: MouseEvent) => {
            if (disabledBecause !== null) {
              event.preventDefault()
              host.notify('info', disabledBecause)
              return
            }
            if (address === null) return onRun(action)
            // A link: the browser keeps Ctrl, Shift and the middle button for new windows.
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            onRun(action)
          }}
        >
          {action.label}
        </Button>
      ))}
      {rest.length > 0 && (
        <Button size={size} aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
          {texts.more}
        </Button>
      )}
      {anchor && (
        <Suspense fallback={null}>
          <ActionMenu anchor={anchor} offers={rest} onPick={pick} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  )
}
