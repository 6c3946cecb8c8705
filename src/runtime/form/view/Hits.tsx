import type { Host } from '../../../headless/host'
import type { DuplicateHit } from '../session/submit'

interface HitsProps {
  host: Pick<Host, 'canOpen' | 'navigate'>
  hits: readonly DuplicateHit[]
  onFollow?(): void
}

/** Records that look the same, each with a link where the person may open it. */
export const Hits = ({ host, hits, onFollow }: HitsProps) => (
  <ul className="sb-form-hits">
    {hits.map(({ id, title, reason, link }) => (
      <li key={id ?? title}>
        {link && host.canOpen(link) ? (
          <a
            href={link}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              onFollow?.()
              host.navigate(link)
            }}
          >
            {title}
          </a>
        ) : (
          title
        )}
        {reason ? <span className="sb-form-help"> · {reason}</span> : null}
      </li>
    ))}
  </ul>
)
