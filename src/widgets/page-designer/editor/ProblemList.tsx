import { Button, Tag } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import type { Problem } from '../../../schema/problem'
import { addressOf } from '../document/address'
import { designerTexts } from '../texts'
import { useDesign } from './design'

/** What is wrong, each with its place: one click leads there. */
export const ProblemList = ({ problems, onGo }: { problems: readonly Problem[]; onGo?(problem: Problem): void }) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  const { document, labels } = useDesign()
  // Problems of a review may lie in another document.
  const shownAt = ({ at, where }: Problem): string => (onGo && labels.address(addressOf(document, at))) || at || where
  return (
    <section className="sb-design-problems" aria-label={texts.problems(problems.length)}>
      <strong role="status">{texts.problems(problems.length)}</strong>
      <ul>
        {problems.map((problem, index) => (
          <li key={index}>
            <Tag className="sb-design-address" color={problem.severity === 'error' ? 'red' : 'orange'}>
              {shownAt(problem)}
            </Tag>
            {problem.message[locale]}
            {problem.hint && ` (${problem.hint}?)`}
            {onGo && (
              <Button type="link" size="small" onClick={() => onGo(problem)}>
                {texts.goTo}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
