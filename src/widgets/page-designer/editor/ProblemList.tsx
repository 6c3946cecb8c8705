import { Button, Tag } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import type { Problem } from '../../../schema/problem'
import { designerTexts } from '../texts'

/** What is wrong, each with its place: one click leads there. */
export const ProblemList = ({ problems, onGo }: { problems: readonly Problem[]; onGo?(problem: Problem): void }) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  return (
    <section className="sb-design-problems" aria-label={texts.problems(problems.length)}>
      <strong role="status">{texts.problems(problems.length)}</strong>
      <ul>
        {problems.map((problem, index) => (
          <li key={index}>
            <Tag color={problem.severity === 'error' ? 'red' : 'orange'}>{problem.at || problem.where}</Tag>
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
