import type { CSSProperties, ReactNode, Ref } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { Led } from '../../../runtime/report/Figure'
import ReportCards from '../../../runtime/report/ReportCards'
import { ListRows } from './ListRows'
import type { OfferedCard } from './useCards'

interface HomeCardProps {
  card: OfferedCard
  /** How often the cards were asked for anew. */
  round: number
  /** It shows its name and leads nowhere. */
  bare?: boolean
  /** What can be done with the card itself, behind its title. */
  tools?: ReactNode
  style?: CSSProperties
  ref?: Ref<HTMLElement>
}

/** A card: what it is called, leading to the whole of it, and what it shows. It loads, fails and is empty by itself. */
export const HomeCard = ({ card, round, bare = false, tools, style, ref }: HomeCardProps) => {
  const host = useHost()
  const { id, title, address, span, kind, page, block } = card
  return (
    <section
      ref={ref}
      className="sb-section sb-home-card"
      aria-label={title}
      data-card={id}
      style={{ gridColumn: `span ${span}`, ...style }}
    >
      <header>
        <h2>
          <Led address={!bare && address !== null && host.canOpen(address) ? address : null}>{title}</Led>
        </h2>
        {tools && <div className="sb-home-tools">{tools}</div>}
      </header>
      {bare ? null : kind === 'list' ? (
        <ListRows card={card} round={round} />
      ) : (
        <ReportCards key={round} report={page} block={block} />
      )}
    </section>
  )
}
