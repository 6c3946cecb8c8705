import ReportCards from '../../../runtime/report/ReportCards'
import { ListRows } from './ListRows'
import type { OfferedCard } from './useCards'

/** What a card shows; it loads, fails and is empty by itself. `round` counts how often it was asked for anew. */
export const CardContent = ({ card, round }: { card: OfferedCard; round: number }) =>
  card.kind === 'list' ? (
    <ListRows card={card} round={round} />
  ) : (
    <ReportCards key={round} report={card.page} block={card.block} />
  )
