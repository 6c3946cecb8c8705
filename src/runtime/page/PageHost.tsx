import './page.css'
import { Button } from 'antd'
import { Suspense, useMemo, useState, type ReactNode } from 'react'
import type { PageModel } from '../../schema/model'
import type { Locale, Problem } from '../../schema/problem'
import type { LoadedPage, PageBundle } from '../../headless/host'
import { HostProvider, useHost } from '../hostContext'
import { FailureState } from '../reading/FailureState'
import { pageScope, pathOf } from '../../headless/scope'
import { Skeleton, State } from '../state'
import { useTokenStyle } from '../tokens'
import { BlockBoundary, BlockError, BlockFailure, WidgetOutlet } from '../widget'
import { EarlierNotice } from './EarlierNotice'
import { pageTexts } from './texts'
import { useFindings } from './useFindings'
import { useLoadedPage } from './useLoadedPage'
import { useNewerPage } from './useNewerPage'
import { PageWithin } from './pageWithin'
import { useShownPage } from './useShownPage'
import { lazyPart } from '../part/lazyPart'

// One chunk a kind: a list page pays neither for forms nor for reports.
const ListPage = lazyPart(() => import('../list/ListPage'))
const DetailPage = lazyPart(() => import('../detail/DetailPage'))
const FormPage = lazyPart(async () => ({ default: (await import('../form')).FormPage }))
const ReportPage = lazyPart(() => import('../report/ReportPage'))

/** A page of the portal by its address (path and search): loads it, compiles it for the viewer, draws it by its kind. */
export const PageHost = ({ address }: { address: string }) => {
  const path = pathOf(address)
  // Another path is another page: nothing of the old one may stay.
  return (
    <PageWithin value={PageHost}>
      <PageAt key={path} path={path} address={address} />
    </PageWithin>
  )
}

const PageAt = ({ path, address }: { path: string; address: string }) => {
  const host = useHost()
  const style = useTokenStyle()
  const [state, retry, show] = useLoadedPage(host, path)
  const texts = pageTexts[host.locale]
  if (state.status === 'loading') {
    return (
      <div style={style}>
        <Skeleton rows={10} columns={5} rowHeight={41} label={texts.loading} />
      </div>
    )
  }
  if (state.status === 'failed') {
    return (
      <div style={style}>
        <FailureState failure={state.failure} onRetry={retry} texts={texts} />
      </div>
    )
  }
  // What is shown of one revision does not go over into the next.
  const { revision } = state.page.bundle
  return <LoadedView key={revision} page={state.page} path={path} address={address} onRetry={retry} onShow={show} />
}

/**
 * A page from memory, drawn as if it had just been loaded: what a designer looks at. A new document needs a new revision; lists,
 * details and reports follow it as they stand, a form begins anew. Another Host needs another component (`key`).
 */
export const BundleView = ({ bundle, address }: { bundle: PageBundle; address: string }) => {
  const page = useMemo((): LoadedPage => ({ bundle, from: 'gateway' }), [bundle])
  return <LoadedView page={page} path={pathOf(address)} address={address} onRetry={nothing} onShow={nothing} follows />
}
const nothing = (): void => undefined

const LoadedView = ({
  page: loaded,
  path,
  address,
  onRetry,
  onShow,
  follows = false,
}: {
  page: LoadedPage
  path: string
  address: string
  /** Loads the page anew. */
  onRetry(): void
  /** Shows the newer page, which is here. */
  onShow(page: LoadedPage): void
  /** The document is being written: what is shown follows it. */
  follows?: boolean
}) => {
  const host = useHost()
  const style = useTokenStyle()
  const texts = pageTexts[host.locale]
  const { page, result, seeking, host: inside, fail } = useShownPage(host, path, loaded, follows)
  const findings = useFindings(host, page, result.ok ? result.model.problems : result.problems)
  const newer = useNewerPage(host, path, loaded)
  // A form begins anew with what was typed, which its local draft holds; one that keeps none stays as it is.
  const keeps = !result.ok || result.model.kind !== 'form' || result.model.draft
  // A form writes its draft when it goes, so that the newer one begins after that.
  const isForm = result.ok && result.model.kind === 'form'
  const bones = (
    <div style={style}>
      <Skeleton rows={10} columns={5} rowHeight={41} label={texts.loading} />
    </div>
  )
  const notice =
    newer && keeps ? (
      <div className="sb-page-notice" style={style} role="status">
        {texts.newer} <button onClick={isForm ? onRetry : () => onShow(newer)}>{texts.showNewer}</button>
      </div>
    ) : page.from === 'local' ? (
      <div className="sb-page-notice" style={style} role="status">
        {texts.local} <button onClick={onRetry}>{texts.retry}</button>
      </div>
    ) : (
      <EarlierNotice page={page} />
    )
  if (seeking) return bones
  if (!result.ok) {
    return (
      <div style={style}>
        {notice}
        <State role="alert" title={texts.broken}>
          <ProblemList problems={result.problems} />
        </State>
      </div>
    )
  }
  const { model } = result
  return (
    <HostProvider value={inside}>
      {notice}
      {model.problems.length > 0 && <Problems problems={model.problems} />}
      {findings.map((problem) => (
        <BlockFailure
          key={`${problem.code} ${problem.at}`}
          source={problem}
          title={texts.finding}
          error={new BlockError(withHint(problem, host.locale))}
        />
      ))}
      <BlockBoundary source={model.source} resetKey={model} onFail={fail}>
        <Suspense fallback={bones}>{draw(model, path, address, texts.embed, follows)}</Suspense>
      </BlockBoundary>
    </HostProvider>
  )
}

const draw = (model: PageModel, path: string, address: string, embedText: string, follows: boolean): ReactNode => {
  // The query is in the address, so a list in another language or revision starts anew without losing anything.
  const key = follows ? model.locale : `${model.revision} ${model.locale}`
  switch (model.kind) {
    case 'list':
      return <ListPage key={key} model={model} address={address} path={path} />
    case 'detail':
      return <DetailPage key={key} model={model} address={address} path={path} />
    case 'form':
      // It keeps the document that it was opened with.
      return <FormPage key={follows ? model.revision : model.id} model={model} address={address} />
    case 'report':
      return <ReportPage key={key} model={model} address={address} path={path} />
    case 'widget':
      return <WidgetPage name={model.widget} model={model} address={address} />
    case 'embed':
      return <State role="status" title={model.title} text={embedText} />
  }
}

const WidgetPage = ({
  name,
  model,
  address,
}: {
  name: string
  model: Extract<PageModel, { kind: 'widget' }>
  address: string
}) => {
  const host = useHost()
  const values = useMemo(
    () => ({ ...pageScope(host, address), title: model.title, path: pathOf(address) }),
    [host, address, model.title],
  )
  return <WidgetOutlet name={name} props={model.props} values={values} source={model.source} />
}

/** What was left out of the page and why; closed until somebody wants to know. */
const Problems = ({ problems }: { problems: readonly Problem[] }) => {
  const { locale } = useHost()
  const style = useTokenStyle()
  const texts = pageTexts[locale]
  const [open, setOpen] = useState(false)
  return (
    <div className="sb-page-notice" style={style} role="status">
      {texts.problems(problems.length)}
      <button aria-expanded={open} onClick={() => setOpen(!open)}>
        {texts.details}
      </button>
      {open && <ProblemList problems={problems} />}
    </div>
  )
}

const withHint = ({ message, hint }: Problem, locale: Locale): string => `${message[locale]}${hint ? ` (${hint}?)` : ''}`

const ProblemList = ({ problems }: { problems: readonly Problem[] }) => {
  const host = useHost()
  const texts = pageTexts[host.locale]
  const lines = problems.map((problem) => `${problem.where} ${problem.at} ${withHint(problem, host.locale)}`)
  return (
    <>
      <ul>
        {problems.map((problem, index) => (
          <li key={index}>
            <code>
              {problem.where} {problem.at}
            </code>{' '}
            {withHint(problem, host.locale)}
          </li>
        ))}
      </ul>
      <Button size="small" onClick={() => void host.copy(lines.join('\n'))}>
        {texts.copy}
      </Button>
    </>
  )
}
