import type { Host } from '../../../headless/host'
import { Attachments } from '../../../runtime/detail/Attachments'
import type { FormField } from '../parts/fields'
import { valueText } from '../parts/fields'
import { partTexts } from '../parts/texts'
import type { LogLine, Values } from '../parts/types'
import { When } from '../parts/When'
import { Signed } from './Signed'
import { taskTexts } from './texts'

interface LogProps {
  host: Host
  lines: readonly LogLine[]
  fields: Readonly<Record<string, FormField>>
  values: Values
  titles: ReadonlyMap<string, string>
  seenBefore: string | null
}

/** Who did what, newest first, with comments, files and what was changed; what is new since the last look is marked. */
export const Log = ({ host, lines, fields, values, titles, seenBefore }: LogProps) => {
  const texts = taskTexts[host.locale]
  if (lines.length === 0) return <p className="sb-process-note">{texts.noLog}</p>
  const ordered = [...lines].sort((a, b) => b.at.localeCompare(a.at))
  return (
    <ol className="sb-log">
      {ordered.map(({ id, at, byId, byName, forName, action, nodeName, comment, files, signature, diff, toNames, admin }) => (
        <li
          key={id}
          data-new={(seenBefore !== null && at > seenBefore && byId !== host.user.staffId) || undefined}
          data-admin={admin || undefined}
        >
          <div className="sb-log-head">
            <strong>
              <bdi>{byName || texts.system}</bdi>
            </strong>{' '}
            {forName ? `(${partTexts[host.locale].forName(forName)}) ` : ''}
            {texts.log[action] ?? action} {toNames.length > 0 ? `${texts.to(toNames.join(texts.join))} ` : ''}
            <When at={at} />
          </div>
          {nodeName && <div className="sb-process-note">{nodeName[host.locale]}</div>}
          {comment && (
            <p className="sb-log-comment">
              <bdi>{comment}</bdi>
            </p>
          )}
          {diff.map(({ field, label, before, after }) => {
            const known = fields[field]?.field
            return (
              <div key={field} className="sb-process-note">
                {label[host.locale]}: <del>{valueText(host, known, before, values, titles)}</del> →{' '}
                <ins>{valueText(host, known, after, values, titles)}</ins>
              </div>
            )
          })}
          {signature && <Signed host={host} file={signature} label={texts.sign} />}
          {files.length > 0 && <Attachments host={host} value={files} />}
        </li>
      ))}
    </ol>
  )
}
