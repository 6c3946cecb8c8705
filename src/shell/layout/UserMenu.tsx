import { App, Dropdown, type MenuProps } from 'antd'
import { observer } from 'mobx-react-lite'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RequestError } from '../../headless/host'
import { usePortal } from '../portal/portal'
import { ERROR_SECONDS } from '../portal/Reactions'
import { choosePlatform } from '../session/platform'
import { lazyPart } from '../../runtime/part/lazyPart'

const LeaveDialog = lazyPart(() => import('../drafts/LeaveDialog'), 'over')
const PasswordDialog = lazyPart(() => import('./PasswordDialog'), 'over')

/** The first letter of the name, for people without a picture (R081). */
export const initialOf = (name: string): string => [...name.trim()][0]?.toLocaleUpperCase() ?? '?'

/** Switch to mobile, change password, sign out (R080), sign out everywhere; on a phone also language and theme. `marked`: something in it is new. */
export const UserMenu = observer(function UserMenu({ more, marked }: { more: MenuProps['items']; marked: boolean }) {
  const portal = usePortal()
  const { t } = useTranslation()
  const { modal, message } = App.useApp()
  const [changing, setChanging] = useState(false)
  const [asking, setAsking] = useState<{ kept: number; lost: number; everywhere: boolean } | null>(null)
  const user = portal.session.user
  if (user === null) return null

  const { bookmarks, drafts, signOut } = portal
  const leave = (everywhere: boolean, before?: () => Promise<void>) =>
    signOut.farewell(everywhere, before).catch((error: unknown) => {
      void message.error(error instanceof RequestError ? error.message : t('error.network'), ERROR_SECONDS)
    })
  /** Asks about forms that were not submitted; true when it did. */
  const askedAboutDrafts = (everywhere: boolean): boolean => {
    const kept = drafts.count
    if (kept === 0) return false
    setAsking({ kept, lost: [...bookmarks.unsaved].filter((page) => !drafts.keeps(page)).length, everywhere })
    return true
  }
  const actions: Record<string, () => void> = {
    mobile() {
      choosePlatform(portal.cookies, 'H5')
      window.location.assign(portal.configuration.h5 + window.location.pathname + window.location.search)
    },
    password: () => setChanging(true),
    signOut() {
      if (askedAboutDrafts(false)) return
      if (bookmarks.unsaved.size === 0) return void leave(false)
      modal.confirm({
        title: t('layout.unsavedTitle'),
        content: t('layout.unsavedLeave'),
        okText: t('layout.signOut'),
        cancelText: t('cancel'),
        okButtonProps: { danger: true },
        onOk: () => leave(false),
      })
    },
    everywhere() {
      if (askedAboutDrafts(true)) return
      modal.confirm({
        title: t('layout.signOutEverywhereTitle'),
        content: t('layout.signOutEverywhereText'),
        okText: t('layout.signOutEverywhere'),
        cancelText: t('cancel'),
        okButtonProps: { danger: true },
        autoFocusButton: 'cancel',
        onOk: () => leave(true),
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
        <button
          type="button"
          className={marked ? 'sb-user sb-user-marked' : 'sb-user'}
          aria-label={`${t('layout.user')}: ${user.name}`}
        >
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
      {asking !== null && (
        <Suspense fallback={null}>
          <LeaveDialog
            {...asking}
            onLeave={async (choice) => {
              await leave(asking.everywhere, choice === 'discard' ? () => drafts.discard() : undefined)
              setAsking(null)
            }}
            onStay={() => setAsking(null)}
          />
        </Suspense>
      )}
    </>
  )
})
