import { useState, type ReactNode } from 'react'
import type { PageField } from '../../schema/model'
import { dialled, showPlain, type CellContext } from '../cell'
import { Icon } from '../icon/Icon'
import type { Row } from '../../headless/row'
import type { ListTexts } from '../../headless/list/texts'
import type { CardParts } from './cardParts'
import type { DrawnColumn } from './columns'

interface CardLinesProps {
  parts: CardParts
  /** Fields of telephone numbers: the first one that is known is called. */
  phones: readonly PageField[]
  /** The actions of the row. */
  children: ReactNode
  row: Row
  context: CellContext
  texts: ListTexts
}

/** A value with the name of its column for whoever hears it; `named` shows the name too. */
const Part = ({
  column,
  row,
  context,
  className,
  named = false,
}: {
  column: DrawnColumn | undefined
  row: Row
  context: CellContext
  className: string
  named?: boolean
}): ReactNode =>
  column && (
    <span className={className}>
      <span className={named ? 'sb-card-name' : 'sb-hidden-text'}>{column.title} </span>
      {column.render(row, context)}
    </span>
  )

/** Below the title: whom it is about and how much; when, and whose it is; all other columns behind "more". */
export const CardLines = ({
  parts: { who, amount, when, owner, rest },
  phones,
  row,
  context,
  texts,
  children,
}: CardLinesProps) => {
  const [unfolded, setUnfolded] = useState(false)
  const common = { row, context }
  return (
    <>
      {(who ?? amount) && (
        <div className="sb-card-line">
          <Part {...common} column={who} className="sb-card-who" />
          <Part {...common} column={amount} className="sb-card-amount" />
        </div>
      )}
      {(when ?? owner) && (
        <div className="sb-card-line sb-card-quiet">
          <Part {...common} column={when} className="sb-card-when" named />
          <Part {...common} column={owner} className="sb-card-owner" />
        </div>
      )}
      {unfolded && (
        <dl>
          {rest.map((column) => (
            <div key={column.id} className="sb-card-item">
              <dt>{column.title}</dt>
              <dd>{column.render(row, context)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="sb-card-foot">
        {children}
        <span className="sb-card-end">
          <CallButton phones={phones} row={row} context={context} texts={texts} />
          {rest.length > 0 && (
            <button type="button" className="sb-link" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
              {unfolded ? texts.cardFewer : texts.cardMore}
            </button>
          )}
        </span>
      </div>
    </>
  )
}

/** Calls the first number of the row that the person may see. */
const CallButton = ({
  phones,
  row,
  context,
  texts,
}: {
  phones: readonly PageField[]
  row: Row
  context: CellContext
  texts: ListTexts
}): ReactNode => {
  for (const field of phones) {
    const number = dialled(field, row[field.name])
    if (number !== undefined)
      return (
        <a
          className="sb-link"
          href={`tel:${number}`}
          title={texts.callNumber(showPlain(field, row[field.name], context.host, row))}
        >
          <Icon name="phone" /> {texts.call}
        </a>
      )
  }
  return null
}
