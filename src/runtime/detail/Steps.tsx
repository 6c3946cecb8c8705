import './steps.css'
import type { Actions } from '../action'
import type { ActionModel, DetailModel, Scope } from '../../schema/model'
import type { Row } from '../../headless/row'

interface StepsProps {
  bar: NonNullable<DetailModel['steps']>
  record: Row
  scope: Scope
  actions: readonly ActionModel[]
  running: Actions['running']
  onRun(action: ActionModel): void
}

/** The states of a record in order, the present one marked; a state that one click may lead to is a button. */
export const Steps = ({ bar, record, scope, actions, running, onRun }: StepsProps) => {
  const value = record[bar.field]
  const present = typeof value === 'string' ? value : ''
  const position = bar.steps.findIndex(({ code }) => code === present)
  const steps = position >= 0 ? bar.steps : [...bar.steps, { code: present, label: bar.labels[present] ?? present }]
  const current = position >= 0 ? position : steps.length - 1
  return (
    <ol className="sb-steps" aria-label={bar.title}>
      {steps.map(({ code, label }, index) => {
        const action = actions.find(({ id }) => id === bar.moves[code])
        const open = action !== undefined && action.visible(scope) && action.disabledBecause(scope) === null
        const done = position >= 0 && index < current
        return (
          <li
            key={code}
            className={`sb-step${index === current ? ' sb-step-current' : done ? ' sb-step-done' : ''}${position < 0 && index === current ? ' sb-step-beside' : ''}`}
            aria-current={index === current ? 'step' : undefined}
          >
            {open && index !== current ? (
              <button type="button" disabled={running !== null} title={action.label} onClick={() => onRun(action)}>
                {label}
              </button>
            ) : (
              <span>{label}</span>
            )}
          </li>
        )
      })}
    </ol>
  )
}
