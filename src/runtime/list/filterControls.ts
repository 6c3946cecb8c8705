import type { FilterModel } from '../../schema/model'
import type { Host } from '../../headless/host'
import type { FilterValue } from '../../headless/list/query'
import type { ListTexts } from '../../headless/list/texts'

/** What every control of a filter gets. */
export interface ControlProps {
  filter: FilterModel
  draft: FilterValue
  host: Host
  texts: ListTexts
  titles: Readonly<Record<string, string>>
  /** It stands among other controls instead of having been opened: it takes no focus, and nothing around it cuts off what it opens. */
  inline?: boolean
  onTitles(titles: Readonly<Record<string, string>>): void
  onChange(value: unknown): void
}

/** Where a control opens its list: beside itself, so that the panel around it does not take a click for one elsewhere. */
export const besides = (inline: boolean) =>
  inline ? {} : { getPopupContainer: (node: HTMLElement) => node.parentElement ?? document.body }

/** The value of a filter as a list, whatever it holds. */
export const list = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

export interface Choice {
  value: string
  label: string
}
