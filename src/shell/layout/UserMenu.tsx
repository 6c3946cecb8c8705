import { App, Dropdown, type MenuProps } from 'antd'
import { observer } from 'mobx-react-lite'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RequestError } from '../../runtime/host'
import { usePortal } from '../portal/portal'
import { ERROR_SECONDS } from '../portal/Reactions'
import { choosePlatform } from '../session/platform'
import { lazyPart } from '../../runtime/part/lazyPart'

const PasswordDialog = lazyPart(() => import('./PasswordDialog'), 'over')

/** The first letter of the name, for people without a picture (R081). */
export const initialOf = (name: string): string => [...name.trim()][0]?.toLocaleUpperCase() ?? '?'

/** Switch to mobile, change password, sign out (R080), sign out everywhere; on a phone also language and theme. */
export const UserMenu = observer(function UserMenu({ more }: { more: MenuProps['items'] }) {
  const portal = usePortal()
  const { t } = useTranslation()
  const { modal, message } = App.useApp()
  const [changing, setChanging] = useState(false)
  const user = portal.session.user
  if (user === null) return null

  const confirmLeave = (then: () => void) => {
    if (portal.bookmarks.unsaved.size === 0) return then()
    modal.confirm({
      title: t('layout.unsavedTitle'),
      content: t('layout.unsavedLeave'),
      okText: t('layout.signOut'),
      cancelText: t('cancel'),
      okButtonProps: { danger: true },
      onOk: then,
    })
  }
  const actions: Record<string, () => void> = {
    mobile() {
      choosePlatform(portal.cookies, 'H5')
      window.location.assign(portal.configuration.h5 + window.location.pathname + window.location.search)
    },
    password: () => setChanging(true),
    signOut: () => confirmLeave(() => void portal.signOut.farewell(false)),
    everywhere() {
      modal.confirm({
        title: t('layout.signOutEverywhereTitle'),
        content: t('layout.signOutEverywhereText'),
        okText: t('layout.signOutEverywhere'),
        cancelText: t('cancel'),
        okButtonProps: { danger: true },
        onOk: () =>
          portal.signOut.farewell(true).catch((error: unknown) => {
            void message.error(error instanceof RequestError ? error.message : t('error.network'), ERROR_SECONDS)
          }),
      })
    },
  }
  const noMobile = portal.configuration.h5 === ''
  const items: MenuProps['items'] = [
    { key: 'who', type: 'group', label: `${user.name} ${user.jobNumber}`.trim() },
    ...(more ?? []),
    {
      key: 'mobile',
      label: noMobile ? `${t('layout.toMobile')} (${t('layout.noMobile')})` : t('layout.toMobile'),
      disabled: noMobile,
    },
    { key: 'password', label: t('layout.changePassword') },
    { type: 'divider' },
    { key: 'signOut', label: t('layout.signOut') },
    { key: 'everywhere', label: t('layout.signOutEverywhere') },
  ]
  return (
    <>
      <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => actions[key]?.() }} placement="bottomRight">
        <button type="button" className="sb-user" aria-label={`${t('layout.user')}: ${user.name}`}>
          <span className="sb-user-badge" aria-hidden>
            {user.avatar === null ? initialOf(user.name) : <img src={user.avatar} alt="" width={28} height={28} />}
          </span>
          <span className="sb-user-name">{user.name}</span>
        </button>
      </Dropdown>
      {changing && (
        <Suspense fallback={null}>
          <PasswordDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </>
  )
})
