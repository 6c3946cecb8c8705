import { isField } from '@formily/core'
import type { FormProblem } from '../../../headless/form/engine'
import { useTracked } from './track'
import { focusField } from './focusField'
import { useSession, useText } from './session'

const SHOWN = 6

/** What has to be mended, with links; a line goes when its field is right. Messages that belong to no field stand first. */
export const ErrorSummary = ({ problems, general }: { problems: readonly FormProblem[]; general: readonly string[] }) => {
  const session = useSession()
  const { engine } = session
  const t = useText()
  /** Which row of a table a problem stands in. */
  const rowOf = (address: string): string => {
    const row = /\.(\d+)\./.exec(address)?.[1]
    return row === undefined ? '' : `${t('rowLabel', { n: Number(row) + 1 })} `
  }
  const [count, ...open] = useTracked(problems, () => {
    const left = problems.filter(({ address }) => {
      const field = engine.field(address)
      return field && isField(field) && field.selfErrors.length > 0
    })
    return [left.length, ...left.slice(0, SHOWN)] as const
  })
  if (count === 0 && general.length === 0) return null
  return (
    <div className="sb-form-summary" role="alert">
      {general.map((message) => (
        <p key={message}>{message}</p>
      ))}
      {count > 0 ? (
        <>
          <strong>{count === 1 ? t('problem') : t('problems', { n: count })}</strong>
          <ul>
            {open.map(({ address, title, message }) => (
              <li key={`${address} ${message}`}>
                <button type="button" className="sb-link" onClick={() => focusField(session, address)}>
                  {rowOf(address)}
                  {message.includes(title) ? message : title}
                </button>
                {message.includes(title) ? null : ` · ${message}`}
              </li>
            ))}
          </ul>
          {count > SHOWN ? <span className="sb-form-help">{t('moreProblems', { n: count - SHOWN })}</span> : null}
        </>
      ) : null}
    </div>
  )
}
