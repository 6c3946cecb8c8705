import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import type { BilingualText } from '../../schema/problem'
import { Missing } from '../../runtime/reading/Denied'
import { PageHostProvider } from '../host/PageHostProvider'
import { usePortal } from '../portal/portal'
import { useLocation } from '../portal/useLocation'
import { Plain } from './Plain'

/** The plain screens that stand in the place of a page. */

function HomeButton() {
  const { t } = useTranslation()
  const portal = usePortal()
  return (
    <Button type="primary" onClick={() => portal.navigation.go('/home')}>
      {t('screen.home')}
    </Button>
  )
}

/** R042 */
export function NotFound() {
  const { t } = useTranslation()
  return <Plain code="404" title={t('screen.notFound')} actions={<HomeButton />} />
}

/** R043, R044 */
export function Forbidden() {
  const { t } = useTranslation()
  const { routes } = usePortal()
  const { pathname } = useLocation().location
  const router = routes.table.route(pathname)?.activeMenu ?? pathname
  return (
    <Plain
      code="403"
      title={t('screen.forbidden')}
      text={
        <PageHostProvider pageKey="forbidden" tabId={null}>
          <Missing router={router} />
        </PageHostProvider>
      }
      actions={<HomeButton />}
    />
  )
}

/** The route stands, its page is not there yet. */
export function NotYet({ title }: { title: BilingualText | null }) {
  const { t } = useTranslation()
  const { language } = usePortal()
  return (
    <Plain
      title={t('screen.notYetTitle')}
      text={t('screen.notYet', { title: title?.[language.locale] ?? '' })}
      actions={<HomeButton />}
    />
  )
}

/** R031 */
export function DdNotice() {
  const { t } = useTranslation()
  return <Plain title={t('screen.noticeTitle')} text={t('screen.notice')} actions={<HomeButton />} />
}
