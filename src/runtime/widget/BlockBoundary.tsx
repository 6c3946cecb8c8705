import './block.css'
import { Button } from 'antd'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { ExpressionError } from '../../schema/expression'
import type { Source } from '../../schema/model'
import { RequestError, type Host } from '../../headless/host'
import { useHost } from '../hostContext'
import { useTokenStyle } from '../tokens'
import { widgetTexts } from './texts'

interface BlockBoundaryProps {
  source: Source
  children: ReactNode
  /** A new value tries again, e.g. the revision of the page. */
  resetKey?: unknown
  onFail?(): void
}

/** A defect that is the page document's, not the program's: its message is for people. */
export class BlockError extends Error {
  override readonly name = 'BlockError'
}

const reasonOf = (error: unknown, host: Host): string => {
  if (error instanceof ExpressionError) return error.problem.message[host.locale]
  if (error instanceof BlockError || error instanceof RequestError || error instanceof Error) return error.message
  return String(error)
}

/** What stands in place of a block that failed: which page, where in it, why; copyable, with another try. */
export const BlockFailure = ({
  source,
  error,
  title,
  onRetry,
}: {
  source: Source
  error: unknown
  /** Of a block that is shown although something is wrong with it. */
  title?: string
  onRetry?: () => void
}) => {
  const host = useHost()
  const style = useTokenStyle()
  const texts = widgetTexts[host.locale]
  const reason = reasonOf(error, host)
  const copy = (): void =>
    void host.copy(`${source.where} ${source.at}
${reason}`)
  return (
    <section className="sb-block-error" style={style} role="alert">
      <h2>{title ?? texts.title}</h2>
      <p>{texts.rest}</p>
      <dl>
        <dt>{texts.where}</dt>
        <dd>
          {source.where} {source.at}
        </dd>
        <dt>{texts.reason}</dt>
        <dd>{reason}</dd>
      </dl>
      <footer>
        {onRetry && (
          <Button size="small" onClick={onRetry}>
            {texts.retry}
          </Button>
        )}
        <Button size="small" onClick={copy}>
          {texts.copy}
        </Button>
      </footer>
    </section>
  )
}

interface InnerProps extends BlockBoundaryProps {
  host: Host
}

class Boundary extends Component<InnerProps, { error: unknown; failed: boolean; resetKey: unknown }> {
  override state = { error: null as unknown, failed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true }
  }

  static getDerivedStateFromProps(props: InnerProps, state: { resetKey: unknown }) {
    return props.resetKey === state.resetKey ? null : { resetKey: props.resetKey, error: null, failed: false }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    const { host, source, onFail } = this.props
    host.report(error, { where: source.where, at: source.at, stack: info.componentStack ?? '' })
    onFail?.()
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <BlockFailure
        source={this.props.source}
        error={this.state.error}
        onRetry={() => this.setState({ failed: false, error: null })}
      />
    )
  }
}

/** Keeps a failing block from taking the page down. */
export const BlockBoundary = (props: BlockBoundaryProps) => <Boundary {...props} host={useHost()} />
