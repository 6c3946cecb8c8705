import '../list/footer.css'
import { Fragment, useMemo, type ReactNode } from 'react'
import { ActionBar, type Actions } from '../action'
import type { ActionModel, DetailModel, FieldItemModel } from '../../schema/model'
import { compileCell, readPath, type CellContext } from '../cell'
import type { Row } from '../../headless/row'
import { useDesk } from '../media'
import { isVisible } from './Sections'
import { Steps } from './Steps'
import { detailTexts } from './texts'

interface HeaderProps {
  model: DetailModel
  title: string
  record: Row
  context: CellContext
  actions: readonly ActionModel[]
  running: Actions['running']
  previous: string | null
  next: string | null
  onRun(action: ActionModel): void
  onOpen(id: string): void
}

/** Pixels that buttons beside the first one take at a desk: the name needs the rest. */
const ROOM = 360

/** A state that a record does not have is not told: a dash among the tags says nothing. */
const isSet = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

const Drawn = ({ item, record, context }: { item: FieldItemModel; record: Row; context: CellContext }): ReactNode => {
  const render = useMemo(() => compileCell(item), [item])
  return render(record, context)
}

/** Name, code, states, owner, key figures, warnings and actions of the record. */
export const Header = ({ model, title, record, context, actions, running, previous, next, onRun, onOpen }: HeaderProps) => {
  const { host, refs, scope } = context
  const texts = detailTexts[host.locale]
  const desk = useDesk()
  const code = typeof record.code === 'string' && model.titleField !== 'code' ? record.code : null
  const ownerId = record.ownerId
  const owner = typeof ownerId === 'string' ? (refs['sys.staff']?.[ownerId]?.title ?? ownerId) : null
  const inBar = new Set(Object.values(model.steps?.moves ?? {}))
  const warnings = model.warnings.flatMap(({ id, type, when, message }) => {
    try {
      return when(scope) ? [{ id, type, text: message(scope) }] : []
    } catch (error) {
      host.report(error, { where: model.source.where, warning: id })
      return []
    }
  })
  return (
    <header className="sb-detail-head">
      <div className="sb-detail-title">
        <div className="sb-detail-name">
          <h1>
            <bdi>{title}</bdi>
          </h1>
          {code !== null && (
            <button
              type="button"
              className="sb-link sb-code"
              aria-label={texts.copyCode(code)}
              title={texts.copyCode(code)}
              onClick={() => void host.copy(code)}
            >
              {code}
            </button>
          )}
          {model.states
            .filter((item) => isVisible(item, context) && (item.value !== undefined || isSet(readPath(record, item.path, refs))))
            .map((item) => (
              <Fragment key={item.id}>
                <Drawn item={item} record={record} context={context} />
              </Fragment>
            ))}
          {owner !== null && (
            <span className="sb-detail-owner">
              {model.fields.ownerId?.label ?? texts.owner}
              {host.locale === 'zh' ? '：' : ': '}
              <bdi>{owner}</bdi>
            </span>
          )}
        </div>
        <div className="sb-detail-actions">
          <ActionBar
            actions={actions.filter(({ id }) => !inBar.has(id))}
            scope={scope}
            running={running}
            shown={1}
            room={desk ? ROOM : 0}
            onRun={onRun}
          />
          {(previous !== null || next !== null) && (
            <span className="sb-turns">
              <button
                type="button"
                className="sb-turn"
                aria-label={texts.previous}
                title={texts.previous}
                disabled={previous === null}
                onClick={() => previous !== null && onOpen(previous)}
              >
                ‹
              </button>
              <button
                type="button"
                className="sb-turn"
                aria-label={texts.next}
                title={texts.next}
                disabled={next === null}
                onClick={() => next !== null && onOpen(next)}
              >
                ›
              </button>
            </span>
          )}
        </div>
      </div>
      {model.steps && <Steps bar={model.steps} record={record} scope={scope} actions={actions} running={running} onRun={onRun} />}
      {model.figures.length > 0 && (
        <dl className="sb-figures">
          {model.figures
            .filter((item) => isVisible(item, context))
            .map((item) => (
              <div key={item.id}>
                <dt>{item.title}</dt>
                <dd>
                  <Drawn item={item} record={record} context={context} />
                </dd>
              </div>
            ))}
        </dl>
      )}
      {warnings.map((warning) => (
        <p key={warning.id} className={`sb-warning sb-warning-${warning.type}`} role="note">
          {warning.text}
        </p>
      ))}
    </header>
  )
}
