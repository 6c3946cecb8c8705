import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { ListBodyModel, ListViewModel } from '../../schema/model'
import type { Failure } from '../../headless/failure'
import { Denied } from '../reading/Denied'
import { State } from '../state'
import type { ListTexts } from '../../headless/list/texts'

interface FailureProps {
  failure: Failure
  texts: ListTexts
  onRetry(): void
}

/** Why there are no rows when the call failed: no permission says whom to ask, anything else can be tried again. */
export const FailureState = ({ failure, texts, onRetry }: FailureProps) =>
  failure.kind === 'denied' ? (
    <Denied title={texts.denied} permission={failure.permission} />
  ) : (
    <State role="alert" title={texts.failed} text={failure.message}>
      <Button type="primary" onClick={onRetry}>
        {texts.retry}
      </Button>
    </State>
  )

/** The call failed and rows of before are still shown. */
export const FailureNotice = ({ failure, texts, onRetry }: FailureProps) => (
  <div className="sb-notice" role="alert">
    <span>
      {texts.failed}: {failure.message}
    </span>
    <button type="button" className="sb-link" onClick={onRetry}>
      {texts.retry}
    </button>
  </div>
)

/** An empty tab names so many others that have rows. */
const MOST_OTHERS = 3

interface NoRowsProps {
  body: ListBodyModel
  /** Keyword and filters in words, when it is they that leave nothing. */
  narrowedTo: string | undefined
  /** The view that has nothing in it, when others may have something. */
  view: ListViewModel | undefined
  /** Rows of the other tabs. */
  elsewhere: Readonly<Record<string, number>>
  number(value: number): string
  texts: ListTexts
  onClear(): void
  onView(id: string): void
  /** What begins a list that has nothing yet. */
  children: ReactNode
}

/** Why there are no rows when the call succeeded, and the way on. */
export const NoRows = ({ body, narrowedTo, view, elsewhere, number, texts, onClear, onView, children }: NoRowsProps) => {
  const [firstView] = body.views
  const others = body.views.filter(({ id }) => id !== view?.id && (elsewhere[id] ?? 0) > 0).slice(0, MOST_OTHERS)
  if (narrowedTo !== undefined)
    return (
      <State role="status" title={texts.nothingFound} text={texts.searched(narrowedTo)}>
        <Button onClick={onClear}>{texts.clear}</Button>
      </State>
    )
  // What the page says of an empty list is true of its first view; another view has only nothing in it.
  if (view && firstView)
    return (
      <State role="status" title={texts.nothingIn(view.title)}>
        {others.length > 0 ? (
          <div className="sb-bar">
            {others.map(({ id, title }) => (
              <Button key={id} onClick={() => onView(id)}>
                {texts.elsewhere(title, number(elsewhere[id] ?? 0))}
              </Button>
            ))}
          </div>
        ) : (
          view !== firstView && <Button onClick={() => onView(firstView.id)}>{texts.showView(firstView.title)}</Button>
        )}
      </State>
    )
  return (
    <State role="status" title={body.empty?.text ?? texts.nothingYet(body.entityLabel)}>
      {children}
    </State>
  )
}
