import { showPlain } from '../cell'
import type { Host } from '../../headless/host'
import { rowScope } from '../../headless/row'
import type { Scope } from '../../schema/model'
import { detailTexts } from './texts'
import type { Happening } from './useHappened'
import { When } from './When'

/** What a row says of itself in the timeline: so many of its columns, in the order of their worth. */
const TOLD = 4
/** The line above says who and when. */
const ABOVE: ReadonlySet<string> = new Set(['createdAt', 'createdBy', 'updatedAt', 'updatedBy'])

interface HappeningItemProps {
  happening: Happening
  host: Host
  scope: Scope
}

/** A row of a related list: what it is, who began it and when, and what it says; a link where its list has one. */
export const HappeningItem = ({ happening: { list, row, refs, at }, host, scope }: HappeningItemProps) => {
  const texts = detailTexts[host.locale]
  const by = row.createdBy
  const who = typeof by === 'string' ? (refs['sys.staff']?.[by]?.title ?? texts.somebody) : texts.system
  const told = list.columns
    .flatMap(({ id, field, path, value, hidden, open }) => {
      if (!field || hidden || value || path.length !== 1 || field.kind === 'boolean' || ABOVE.has(field.name)) return []
      const text = showPlain(field, row[field.name], host, row, refs)
      return text === '' ? [] : [{ id, text, to: open?.(rowScope(scope, row)) }]
    })
    .slice(0, TOLD)
  return (
    <li>
      <div className="sb-entry-head">
        <strong>{list.entityLabel}</strong> <bdi>{who}</bdi> <When at={at} host={host} />
      </div>
      <div className="sb-told">
        {told.map(({ id, text, to }) => (
          <span key={id}>
            {to !== undefined && host.canOpen(to) ? (
              <button type="button" className="sb-link" onClick={() => host.navigate(to)}>
                {text}
              </button>
            ) : (
              text
            )}
          </span>
        ))}
      </div>
    </li>
  )
}
