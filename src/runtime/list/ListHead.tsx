import type { ReactNode } from 'react'
import type { ListBodyModel } from '../../schema/model'
import { WidgetOutlet } from '../widget'
import type { ListState } from './controller'
import { ReloadsContext } from './reloads'

interface ListHeadProps {
  title: string | undefined
  description: string | undefined
  body: ListBodyModel
  state: ListState
  /** The total in words. */
  count: string
  /** A list inside another page is no head of a page. */
  embedded: boolean
  denied: boolean
  /** What can be done with the list as a whole. */
  children: ReactNode
}

/** What stands above the tabs: title with the total, actions, explanation, the page's own header. */
export const ListHead = ({ title, description, body, state, count, embedded, denied, children }: ListHeadProps) => {
  const Heading = embedded ? 'div' : 'header'
  return (
    <>
      {title && (
        <Heading className="sb-list-title">
          <h1>
            {title}
            {state.phase === 'ready' && <small>{count}</small>}
          </h1>
          {body.actions.length > 0 && <div className="sb-bar sb-bar-end">{children}</div>}
        </Heading>
      )}
      {(description || body.header) && (
        <div className="sb-list-lead">
          {description && <p className="sb-list-help">{description}</p>}
          {body.header && !denied && (
            <ReloadsContext value={state.reloads}>
              <WidgetOutlet
                name={body.header.widget}
                props={body.header.props}
                values={{}}
                source={body.source}
                // a line beside the text: its room is there before it comes
                fallback={<></>}
              />
            </ReloadsContext>
          )}
        </div>
      )}
    </>
  )
}
