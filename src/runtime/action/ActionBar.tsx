import './action.css'
import { Button } from 'antd'
import { Suspense, useState, type MouseEvent } from 'react'
import { textWidth } from '../../schema/compile/textWidth'
import type { ActionModel, Scope } from '../../schema/model'
import { toFailure } from '../../headless/failure'
import { useHost } from '../hostContext'
import { Icon } from '../icon/Icon'
import { usePhone } from '../media'
import { EDIT, offeredActions, type OfferedAction } from './rowActions'
import { actionTexts } from './texts'
import { lazyPart } from '../part/lazyPart'

const ActionMenu = lazyPart(() => import('./ActionMenu'), 'over')

/** Letters in the names of two buttons that stand beside each other, and before the arrows of a record, on a phone. */
const ROOM = 22

/** Padding, icon and gap of a button, px. */
const AROUND = 62
const FONT = 14

/** How many of them, from the first one, stand in so many pixels. */
const fit = (offers: readonly OfferedAction[], room: number): number => {
  const ends = offers.reduce<number[]>(
    (all, { action }) => [...all, (all.at(-1) ?? 0) + textWidth(action.label, FONT) + AROUND],
    [],
  )
  return ends.filter((end) => end <= room).length
}

/** What is to be done with a record: the primary action, else the first one; of those that are possible and destroy nothing. */
const leadOf = (offers: readonly OfferedAction[]): OfferedAction | undefined => {
  const possible = offers.filter(({ action, disabledBecause }) => disabledBecause === null && !action.danger)
  return possible.find(({ action }) => action.primary) ?? possible.find(({ action }) => action.id !== EDIT) ?? possible[0]
}

interface ActionBarProps {
  actions: readonly ActionModel[]
  scope: Scope
  running: string | null
  /** How many stand as buttons; the others are behind "more". On a phone one does, so that the buttons keep to one line. */
  shown?: number
  /** The bar leads with what is to be done: what is possible comes first, as the primary button, and others stand beside it as far as this many pixels go. */
  room?: number
  size?: 'small' | 'middle'
  onRun(action: ActionModel): void
}

/** Actions as buttons, the primary one first; what is not possible says why. */
export const ActionBar = ({ actions, scope, running, shown: wanted = 3, room, size = 'middle', onRun }: ActionBarProps) => {
  const host = useHost()
  const texts = actionTexts[host.locale]
  const phone = usePhone()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const offers = offeredActions(actions, scope, (error, action) => {
    host.report(error, { where: action.source.where, at: action.source.at })
    return toFailure(error, host.locale).message
  }).sort((a, b) => Number(b.action.primary) - Number(a.action.primary))
  const lead = room === undefined ? undefined : leadOf(offers)
  if (lead) offers.splice(0, 0, ...offers.splice(offers.indexOf(lead), 1))
  const fitting = room === undefined ? wanted : wanted + fit(offers.slice(wanted), room)
  const shown = phone ? Math.min(wanted, 1) : fitting
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
          type={action.primary || action === lead?.action ? 'primary' : 'default'}
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
