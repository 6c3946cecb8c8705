import type { Place } from '../parts/place'
import type { mailTexts } from '../parts/texts'
import type { Mark } from '../parts/types'

type Texts = (typeof mailTexts)['zh' | 'en']
type Filter = 'from' | 'to' | 'file' | 'unread' | 'star' | 'mark' | 'since' | 'until' | 'customer' | 'mine'

interface Chip {
  name: Filter
  text: string
}

/** The filters in force in words; what is typed stands in its box. */
export function chipsOf(place: Place, texts: Texts, marks: readonly Mark[]): Chip[] {
  const { filterNames: names } = texts
  const all: (readonly [Filter, string | undefined | false])[] = [
    ['from', place.from && `${names.from}: ${place.from}`],
    ['to', place.to && `${names.to}: ${place.to}`],
    ['file', place.file && names.file],
    ['unread', place.unread && names.unread],
    ['star', place.star && names.star],
    ['mark', place.mark && `${names.mark}: ${marks.find(({ id }) => id === place.mark)?.name ?? '…'}`],
    ['since', place.since && texts.since(place.since)],
    ['until', place.until && texts.until(place.until)],
    ['customer', place.customer && names.customer],
    ['mine', place.mine && names.mine],
  ]
  return all.flatMap(([name, text]) => (text ? [{ name, text }] : []))
}

/** The place with one filter less. */
export const withoutFilter = (place: Place, name: Filter): Place => ({ ...place, [name]: undefined })

/** What was searched, in words. */
export const searchedFor = (place: Place, texts: Texts, marks: readonly Mark[]): string =>
  [...(place.q ? [place.q] : []), ...chipsOf(place, texts, marks).map(({ text }) => text)].join(' · ')
