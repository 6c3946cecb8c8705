import type { ReactNode } from 'react'
import type { Group } from '../../headless/report/group'
import type { Shown } from '../../headless/report/shown'

/** Something that leads to an address; as it is where it leads nowhere. */
export const Led = ({ address, children }: { address: string | null; children: ReactNode }) =>
  address === null ? (
    children
  ) : (
    <a className="sb-link" href={address} data-sb-open="">
      {children}
    </a>
  )

const ARROWS = { up: '▲', down: '▼', same: '＝' } as const

/** How a number has changed, as an arrow with its size; the whole sentence for those who hear or point at it. */
const Changed = ({ id, group, shown }: { id: string; group: Group; shown: Shown }) => {
  const change = shown.change(id, group)
  if (!change) return null
  return (
    <small className={`sb-change sb-change-${change.direction}`} role="img" title={change.words} aria-label={change.words}>
      {ARROWS[change.direction]} {change.text}
    </small>
  )
}

/** A number that may lead to its rows, with its change. */
export const Figure = ({ id, group, shown }: { id: string; group: Group; shown: Shown }) => (
  <>
    <Led address={shown.measureAddress(id, group)}>{shown.measure(id, group)}</Led>
    <Changed id={id} group={group} shown={shown} />
  </>
)
