import {
  AuditOutlined,
  BulbOutlined,
  HistoryOutlined,
  LikeOutlined,
  MenuOutlined,
  MoonOutlined,
  SearchOutlined,
  SunOutlined,
  TranslationOutlined,
} from '@ant-design/icons'
import { Button, Dropdown, Tooltip, type MenuProps } from 'antd'
import { observer } from 'mobx-react-lite'
import { Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DownloadCentre } from '../downloads/DownloadCentre'
import { mayOpen } from '../guard/authorization'
import { usePortal } from '../portal/portal'
import type { TokenKeeper } from '../token/tokenKeeper'
import type { ThemeChoice } from '../theme/mark'
import { NewVersion } from '../versions/NewVersion'
import type { ModuleMenu } from './menu'
import { ModuleNav } from './ModuleNav'
import { UserMenu } from './UserMenu'
import { lazyPart } from '../../runtime/part/lazyPart'

const MessageBell = lazyPart(() => import('../messages/MessageBell'), 'over')
const ApprovalShortcut = lazyPart(() => import('../approvals/ApprovalShortcut'), 'over')
const AssistantEntry = lazyPart(() => import('../assistant/AssistantEntry'), 'over')
const FeedbackShortcut = lazyPart(() => import('../feedback/FeedbackShortcut'), 'over')

/** R302 */
const ASSISTANT_KEY = 'shell:aiChat'
/** Drawn with the number of what waits there. */
const APPROVAL = '/general/process/sponsor'
/** Drawn with the number of unread answers, and with what the portal asks. */
const FEEDBACK = '/csc/feedbackmanagement/feedback'

/** Shortcuts of the header (R046-R048); each shows only when its page exists and the person may open it. */
const SHORTCUTS = [
  { path: APPROVAL, label: 'layout.approval', icon: <AuditOutlined /> },
  { path: '/message/publicnotice/timeaxis', label: 'layout.versions', icon: <HistoryOutlined /> },
  { path: FEEDBACK, label: 'layout.feedback', icon: <LikeOutlined /> },
] as const

/** Width of the window, px, from which the header has room for a box. */
const WITH_SEARCH_BOX = 1200

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)

interface HeaderProps {
  menus: readonly ModuleMenu[]
  tabs: ReactNode
  tokens: TokenKeeper
}

/** Logo, modules and the user area (R070). */
export const Header = observer(function Header({ menus, tabs, tokens }: HeaderProps) {
  const portal = usePortal()
  const { t } = useTranslation()
  const { layout, routes, session, language, theme } = portal
  const phone = layout.device === 'Mobile'
  const [answers, setAnswers] = useState(0)

  const switchLanguage = () => language.change(language.locale === 'zh' ? 'en' : 'zh')
  const themeItems = (['light', 'dark', 'auto'] as const).map((choice) => ({
    key: choice,
    label: t(choice === 'light' ? 'layout.themeLight' : choice === 'dark' ? 'layout.themeDark' : 'layout.themeAuto'),
  }))
  const chooseTheme = (key: string) => theme.choose(key as ThemeChoice)
  const shortcuts = SHORTCUTS.filter(({ path }) => routes.table.route(path)?.page && mayOpen(routes.table, path, session.rights))
  // On a phone these live in the user menu.
  const inUserMenu: MenuProps['items'] = phone
    ? [
        { type: 'divider' },
        ...shortcuts
          .filter(({ path }) => path !== APPROVAL)
          .map((item) => ({
            key: item.path,
            label: item.path === FEEDBACK && answers > 0 ? t('layout.feedbackUnread', { unread: answers }) : t(item.label),
            onClick: () => portal.navigation.go(item.path),
          })),
        { key: 'language', label: t('layout.languageOther'), onClick: switchLanguage },
        {
          key: 'theme',
          label: t('layout.theme'),
          children: themeItems.map((item) => ({ ...item, onClick: () => chooseTheme(item.key) })),
        },
        { type: 'divider' },
      ]
    : []

  return (
    <header className="sb-header">
      {phone && <Button type="text" icon={<MenuOutlined />} aria-label={t('layout.openMenu')} onClick={layout.toggleMenu} />}
      <a
        className="sb-logo"
        href="/home"
        aria-label={t('layout.logo')}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          portal.navigation.go('/home')
        }}
      >
        <img src="/favicon.svg" alt="" width={24} height={24} />
        {!phone && <span>{t('product')}</span>}
      </a>
      {phone ? <span className="sb-grow" /> : <ModuleNav menus={menus} />}
      <div className="sb-tools">
        {phone && tabs}
        {layout.width >= WITH_SEARCH_BOX ? (
          <button type="button" className="sb-search-box" aria-label={t('layout.search')} onClick={() => layout.setSearch(true)}>
            <SearchOutlined />
            <span>{t('layout.search')}</span>
            <kbd>{IS_MAC ? '⌘' : 'Ctrl'} K</kbd>
          </button>
        ) : (
          <Tooltip rootClassName="sb-tool-tip" title={`${t('layout.search')} (${IS_MAC ? '⌘' : 'Ctrl'} K)`}>
            <Button
              type="text"
              icon={<SearchOutlined />}
              aria-label={t('layout.search')}
              onClick={() => layout.setSearch(true)}
            />
          </Tooltip>
        )}
        <Suspense fallback={<span className="sb-tool-room" />}>
          <MessageBell />
        </Suspense>
        <DownloadCentre />
        <NewVersion />
        {shortcuts.some(({ path }) => path === APPROVAL) && (
          <Suspense fallback={<span className="sb-tool-room" />}>
            <ApprovalShortcut path={APPROVAL} />
          </Suspense>
        )}
        {!phone &&
          shortcuts
            .filter(({ path }) => path !== APPROVAL && path !== FEEDBACK)
            .map((item) => (
              <Tooltip key={item.path} rootClassName="sb-tool-tip" title={t(item.label)}>
                <Button type="text" icon={item.icon} aria-label={t(item.label)} onClick={() => portal.navigation.go(item.path)} />
              </Tooltip>
            ))}
        {shortcuts.some(({ path }) => path === FEEDBACK) && (
          <Suspense fallback={phone ? null : <span className="sb-tool-room" />}>
            <FeedbackShortcut path={FEEDBACK} hidden={phone} onUnread={setAnswers} />
          </Suspense>
        )}
        {session.can(ASSISTANT_KEY) && (
          <Suspense fallback={phone ? null : <span className="sb-tool-room" />}>
            <AssistantEntry tokens={tokens} phone={phone} />
          </Suspense>
        )}
        {!phone && (
          <>
            <Tooltip rootClassName="sb-tool-tip" title={t('layout.languageOther')}>
              <Button
                type="text"
                icon={<TranslationOutlined />}
                aria-label={`${t('layout.language')}: ${t('layout.languageOther')}`}
                onClick={switchLanguage}
              />
            </Tooltip>
            <Dropdown
              trigger={['click']}
              menu={{ items: themeItems, selectable: true, selectedKeys: [theme.choice], onClick: ({ key }) => chooseTheme(key) }}
            >
              <Button
                type="text"
                icon={theme.choice === 'auto' ? <BulbOutlined /> : theme.name === 'dark' ? <MoonOutlined /> : <SunOutlined />}
                aria-label={t('layout.theme')}
              />
            </Dropdown>
          </>
        )}
        <UserMenu more={inUserMenu} marked={phone && answers > 0} />
      </div>
    </header>
  )
})
