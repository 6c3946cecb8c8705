import { Alert, Button, Tag } from 'antd'
import { observer } from 'mobx-react-lite'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import { sessionStore } from '../session/storage'
import { reloadForUpgrade } from './noticeStore'

/** Gray release (R313), upgrade (R383, R384), offline, and the kept page list. */
export const Banners = observer(function Banners() {
  const { notices, routes } = usePortal()
  const { t } = useTranslation()
  return (
    <div className="sb-banners" role="status">
      {notices.gray !== null && (
        <div className="sb-gray">
          <Tag color="purple">{t('banner.gray', { value: notices.gray })}</Tag>
        </div>
      )}
      {notices.upgraded && (
        <Alert
          banner
          type="warning"
          message={
            <>
              {t('banner.upgrade')}
              <Button
                type="link"
                size="small"
                className="sb-upgrade"
                onClick={() => reloadForUpgrade(sessionStore(), routes.forget)}
              >
                {t('banner.upgradeLink')}
              </Button>
            </>
          }
        />
      )}
      {notices.unkept && <Alert banner closable type="info" message={t('banner.unkept')} />}
      {notices.offline ? <Alert banner type="warning" message={t('banner.offline')} /> : null}
      {!notices.offline && routes.from === 'local' ? <Alert banner type="info" message={t('banner.local')} /> : null}
    </div>
  )
})
