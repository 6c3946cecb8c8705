import '../../../runtime/list/list.css'
import './cards.css'
import { AppstoreAddOutlined, CheckOutlined, ReloadOutlined, TeamOutlined, UndoOutlined } from '@ant-design/icons'
import { Button, Flex } from 'antd'
import { Suspense, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { openLinks } from '../../../runtime/cell'
import { useHost } from '../../../runtime/hostContext'
import { lazyPart } from '../../../runtime/part/lazyPart'
import { FailureState } from '../../../runtime/reading/FailureState'
import { Skeleton } from '../../../runtime/state'
import { useTokenStyle } from '../../../runtime/tokens'
import { homeTexts } from '../texts'
import { HomeCard } from './HomeCard'
import { useCards, type OfferedCard } from './useCards'

const Arrange = lazyPart(() => import('./Arrange'))
const RoleHomes = lazyPart(() => import('./RoleHomes'), 'over')

/** Whoever designs pages decides what a role finds on its home; the gateway checks it. */
const RELEASE = 'setModule:pages'

/** The cards of the person's home: those of his roles until he arranges them himself. `tools` is where its buttons stand. */
const HomeCards = ({ tools }: { tools: HTMLElement | null }) => {
  const host = useHost()
  const texts = homeTexts[host.locale]
  const style = useTokenStyle()
  const { cards, offered, isOwn, failure, round, retry, refresh, arrange } = useCards()
  const [draft, setDraft] = useState<readonly OfferedCard[] | null>(null)
  const [releasing, setReleasing] = useState(false)
  const follow = useMemo(() => openLinks(host), [host])
  if (failure) return <FailureState failure={failure} onRetry={retry} />
  if (!cards) return <Skeleton rows={6} columns={4} rowHeight={41} label={texts.loading} />
  if (offered.length === 0 && !host.can(RELEASE)) return null

  const keep = (next: readonly OfferedCard[] | null): void => {
    arrange(next).then(
      () => {
        setDraft(null)
        host.notify('success', texts.arranged)
      },
      (error: unknown) => host.notify('error', error instanceof Error ? error.message : String(error)),
    )
  }
  return (
    <div className="sb-home" style={style} onClick={follow}>
      {tools &&
        createPortal(
          <Flex gap={8} justify="flex-end" wrap>
            {draft ? (
              <>
                {isOwn && (
                  <Button icon={<UndoOutlined />} onClick={() => keep(null)}>
                    {texts.reset}
                  </Button>
                )}
                <Button onClick={() => setDraft(null)}>{texts.cancel}</Button>
                <Button type="primary" icon={<CheckOutlined />} onClick={() => keep(draft)}>
                  {texts.done}
                </Button>
              </>
            ) : (
              <>
                <Button type="text" icon={<ReloadOutlined />} onClick={refresh}>
                  {texts.refresh}
                </Button>
                {host.can(RELEASE) && (
                  <Button type="text" icon={<TeamOutlined />} onClick={() => setReleasing(true)}>
                    {texts.roleHomes}
                  </Button>
                )}
                {offered.length > 0 && (
                  <Button type="text" icon={<AppstoreAddOutlined />} onClick={() => setDraft(cards)}>
                    {texts.arrange}
                  </Button>
                )}
              </>
            )}
          </Flex>,
          tools,
        )}
      {releasing && (
        <Suspense fallback={null}>
          <RoleHomes onClose={() => setReleasing(false)} />
        </Suspense>
      )}
      {draft ? (
        <Suspense fallback={<Skeleton rows={6} columns={4} rowHeight={41} label={texts.loading} />}>
          <Arrange cards={draft} offered={offered} round={round} onChange={setDraft} />
        </Suspense>
      ) : (
        <div className="sb-report">
          {cards.map((card) => (
            <HomeCard key={card.id} card={card} round={round} />
          ))}
        </div>
      )}
    </div>
  )
}
export default HomeCards
