import './page.css'
import type { LoadedPage } from '../../headless/host'
import { useHost } from '../hostContext'
import { useTokenStyle } from '../tokens'
import { pageTexts } from './texts'

/** Says that the newest revision of a page has a fault and which one is shown instead; nothing for any other page. */
export const EarlierNotice = ({ page }: { page: LoadedPage }) => {
  const texts = pageTexts[useHost().locale]
  const style = useTokenStyle()
  if (page.from !== 'earlier') return null
  return (
    <div className="sb-page-notice" style={style} role="status">
      {texts.earlier(page.bundle.number)}
    </div>
  )
}
