import { Tag, Timeline } from 'antd'
import type { ReactNode } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import { momentText } from '../../../../runtime/reading/moment'
import { processTexts } from '../texts'
import type { Version } from '../types'
import { textIn } from '../words'

interface Props<One extends Version> {
  /** Newest first. */
  versions: readonly One[]
  /** Is it the one that is used now? */
  isCurrent(version: One): boolean
  /** What stands behind the number, e.g. how many applications run on it. */
  tags?: (version: One) => ReactNode
  /** What can be done with it. */
  actions(version: One): ReactNode
}

/** The versions of what is designed: who, when, why, and what changed against the one before. */
export const VersionList = <One extends Version>({ versions, isCurrent, tags, actions }: Props<One>) => {
  const host = useHost()
  const texts = processTexts[host.locale]
  return (
    <Timeline
      items={versions.map((version, index) => ({
        key: version.id,
        color: isCurrent(version) ? 'green' : 'gray',
        children: (
          <article aria-label={texts.version(version.no)}>
            <header className="sb-design-bar">
              <strong>{texts.version(version.no)}</strong>
              {isCurrent(version) && <Tag color="green">{texts.current}</Tag>}
              {tags?.(version)}
              <span className="sb-design-help">
                {texts.by(version.publishedBy ?? texts.system, momentText(host, version.publishedAt))}
              </span>
              {actions(version)}
            </header>
            {version.note && <p>{version.note}</p>}
            {version.changes.length > 0 ? (
              <ul className="sb-design-differences">
                {version.changes.map(({ id, text }) => (
                  <li key={id}>{textIn(text, host.locale)}</li>
                ))}
              </ul>
            ) : (
              <small className="sb-design-help">{index === versions.length - 1 ? texts.firstVersion : texts.noChanges}</small>
            )}
          </article>
        ),
      }))}
    />
  )
}
