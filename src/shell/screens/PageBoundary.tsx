import { Button } from 'antd'
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { report } from '../host/pageHost'
import { Plain } from './Plain'

interface Props {
  address: string
  children: ReactNode
}

/** The last net under a page: the shell and the other pages go on. Blocks inside a page have nets of their own. */
export class PageBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: unknown) {
    report(error, { address: this.props.address })
  }

  override render() {
    const { error } = this.state
    return error === null ? this.props.children : <Broken error={error} onRetry={() => this.setState({ error: null })} />
  }
}

function Broken({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <Plain
      role="alert"
      title={t('screen.pageFailed')}
      text={t('screen.pageFailedLead')}
      actions={
        <>
          <pre className="sb-screen-details">{error.message}</pre>
          <Button type="primary" onClick={onRetry}>
            {t('retry')}
          </Button>
        </>
      }
    />
  )
}
