import { useHost } from '../../../../runtime/hostContext'
import type { Problem } from '../../../../schema/problem'

/** What is wrong with the step that is shown. */
export const ProblemNotes = ({ problems }: { problems: readonly Problem[] }) => {
  const { locale } = useHost()
  return problems.map(({ code, at, message, hint }) => (
    <small key={`${code} ${at}`} role="alert" className="sb-design-wrong">
      {message[locale]}
      {hint ? ` (${hint})` : ''}
    </small>
  ))
}
