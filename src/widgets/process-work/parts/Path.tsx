import { CheckCircleFilled, ClockCircleFilled, MinusCircleOutlined, RollbackOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import { partTexts } from './texts'
import type { Asked, PathNode } from './types'
import { When } from './When'

const MARKS: Readonly<Record<PathNode['state'], ReactNode>> = {
  done: <CheckCircleFilled className="sb-path-done" />,
  current: <ClockCircleFilled className="sb-path-current" />,
  predicted: <span className="sb-path-ring" />,
  skipped: <MinusCircleOutlined />,
  returned: <RollbackOutlined className="sb-path-returned" />,
}

const BRANCHING = ['condition', 'inclusive', 'parallel']

/** The steps of an application in their order: who decided, who is asked now, who will be, and why it goes this way. */
export const Path = ({ nodes }: { nodes: readonly PathNode[] }) => {
  const { locale } = useHost()
  if (nodes.length === 0) return <p className="sb-path-note">{partTexts[locale].noPath}</p>
  return (
    <ol className="sb-path">
      {nodes.map((node) => (
        <Step key={node.id} node={node} />
      ))}
    </ol>
  )
}

const Step = ({ node }: { node: PathNode }) => {
  const host = useHost()
  const texts = partTexts[host.locale]
  const { state, kind, assignees = [], why, dueAt, limitHours, branches } = node
  const late = state === 'current' && dueAt && new Date(dueAt) < host.now()
  const others = BRANCHING.includes(kind) ? (branches ?? []).filter(({ taken }) => !taken) : []
  const words = node.label[host.locale] || texts.kinds[kind] || kind
  return (
    <li className="sb-path-step" data-state={state} data-node={node.id}>
      <span className="sb-path-mark" aria-hidden="true">
        {MARKS[state]}
      </span>
      <div className="sb-path-body">
        <div className="sb-path-name">
          <bdi>{words}</bdi>
          <span className="sb-path-state">{texts.states[state]}</span>
        </div>
        {assignees.length > 0 && (
          <ul className="sb-path-people">
            {assignees.map((person) => (
              <Who key={`${person.id} ${person.at ?? ''}`} person={person} />
            ))}
          </ul>
        )}
        {why && <p className="sb-path-note">{why[host.locale]}</p>}
        {state === 'current' && dueAt ? (
          <p className={late ? 'sb-path-note sb-path-late' : 'sb-path-note'}>
            {(late ? texts.overdue : texts.due)(momentText(host, dueAt))}
          </p>
        ) : state === 'predicted' && limitHours ? (
          <p className="sb-path-note">{texts.limit(limitHours)}</p>
        ) : null}
        {BRANCHING.includes(kind) &&
          branches
            ?.filter(({ taken }) => taken)
            .map((branch) => {
              const branchWhy = branch.why?.[host.locale]
              return (
                <div key={branch.id} className="sb-path-branch">
                  <div className="sb-path-name">
                    <bdi>{branch.label[host.locale]}</bdi>
                  </div>
                  {branchWhy && <p className="sb-path-note">{branchWhy}</p>}
                  {branch.nodes.length > 0 && <Path nodes={branch.nodes} />}
                </div>
              )
            })}
        {others.length > 0 && <p className="sb-path-note">{texts.notTaken(others.map(({ label }) => label[host.locale]))}</p>}
      </div>
    </li>
  )
}

const Who = ({ person: { name, state, at, forName } }: { person: Asked }) => {
  const texts = partTexts[useHost().locale]
  return (
    <li>
      <bdi>{name}</bdi>
      {forName ? <span className="sb-path-note"> {texts.forName(forName)}</span> : null}
      {state && state !== 'predicted' ? <span className="sb-path-note"> · {texts.asked[state] ?? state}</span> : null}
      {at ? (
        <span className="sb-path-note">
          {' '}
          <When at={at} />
        </span>
      ) : null}
    </li>
  )
}
