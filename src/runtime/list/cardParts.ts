import type { FieldKind } from '../../schema/model'
import type { DrawnColumn } from './columns'

/** What the lines of a card hold. A part that no column can be is missing. */
export interface CardParts {
  title?: DrawnColumn
  state?: DrawnColumn
  who?: DrawnColumn
  amount?: DrawnColumn
  when?: DrawnColumn
  owner?: DrawnColumn
  /** Behind "more". */
  rest: readonly DrawnColumn[]
}

const STAFF = 'sys.staff'
const WORDS: readonly FieldKind[] = ['string', 'email', 'phone', 'country', 'refs', 'dictionaries']
const NUMBERS: readonly FieldKind[] = ['decimal', 'integer', 'percent']

const isOf =
  (...kinds: readonly FieldKind[]) =>
  ({ model: { field, value } }: DrawnColumn): boolean =>
    field !== undefined && value === undefined && kinds.includes(field.kind)

const isStaff = ({ model: { field } }: DrawnColumn): boolean => field?.kind === 'ref' && field.ref?.entity === STAFF

/**
 * The three lines of a card: what it is and its state; whom it is about and how much; when, and whose it is. The columns come in the order of
 * what their fields are worth, so the first of a kind is the one that matters.
 */
export const cardParts = (columns: readonly DrawnColumn[]): CardParts => {
  const [title, ...others] = columns
  let left = others
  const take = (...wanted: ((column: DrawnColumn) => boolean)[]): DrawnColumn | undefined => {
    const found = wanted.map((is) => left.find(is)).find((column) => column !== undefined)
    left = left.filter((column) => column !== found)
    return found
  }
  const parts = {
    title,
    state: take(isOf('dictionary')),
    owner: take(isStaff),
    who: take((column) => isOf('ref')(column) && !isStaff(column), isOf(...WORDS)),
    amount: take(isOf('money'), isOf(...NUMBERS)),
    when: take(isOf('date', 'dateTime')),
  }
  const held = Object.entries(parts).filter(([, column]) => column !== undefined)
  return { ...(Object.fromEntries(held) as Omit<CardParts, 'rest'>), rest: left }
}
