import { Alert, Button, Flex, Select, Typography } from 'antd'
import { useCallback, useEffect, useState } from 'react'
import { isAborted, toFailure } from '../../../headless/failure'
import { Dialog } from '../../../runtime/dialog/Dialog'
import { useHost } from '../../../runtime/hostContext'
import { Skeleton } from '../../../runtime/state'
import { homeTexts } from '../texts'
import Arrange from './Arrange'
import type { OfferedCard } from './useCards'

const HOME = '/v2/sys/staff/home'

interface Role {
  code: string
  title: string
}
interface RoleHome {
  offered: readonly OfferedCard[]
  cards: readonly OfferedCard[]
  /** Of its release; 0: the home that modules put together. */
  version: number
}

/** The homes of roles, for designers of pages: which cards stand on the home of whoever has not arranged his own. */
const RoleHomes = ({ onClose }: { onClose(): void }) => {
  const host = useHost()
  const texts = homeTexts[host.locale]
  const [roles, setRoles] = useState<readonly Role[] | null>(null)
  const [role, setRole] = useState<string | null>(null)
  const [home, setHome] = useState<RoleHome | null>(null)
  const [touched, setTouched] = useState(false)
  const [busy, setBusy] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)
  const fail = useCallback(
    (error: unknown): void => {
      if (!isAborted(error)) setFailure(toFailure(error, host.locale).message)
    },
    [host],
  )

  useEffect(() => {
    const abort = new AbortController()
    host.request<readonly Role[]>({ method: 'GET', path: '/v2/sys/staff/views/roles', signal: abort.signal }).then(setRoles, fail)
    return () => abort.abort()
  }, [host, fail])

  useEffect(() => {
    if (role === null) return
    const abort = new AbortController()
    const query = new URLSearchParams({ role })
    host
      .request<{ cards: OfferedCard[]; version: number }>({ method: 'GET', path: `${HOME}/role?${query}`, signal: abort.signal })
      .then(({ cards, version }) => setHome({ offered: cards, cards: cards.filter(({ shown }) => shown), version }), fail)
    return () => abort.abort()
  }, [host, fail, role, attempt])

  const show = (next: string | null): void => {
    setRole(next)
    setHome(null)
    setTouched(false)
    setFailure(null)
    setAttempt((now) => now + 1)
  }
  const mayLeave = async (): Promise<boolean> =>
    !touched || host.confirm({ title: texts.unreleased, content: texts.unreleasedHelp, danger: true, okText: texts.giveUp })
  const choose = async (next: string): Promise<void> => {
    if (await mayLeave()) show(next)
  }
  const close = async (): Promise<void> => {
    if (await mayLeave()) onClose()
  }
  const release = async (cards: readonly OfferedCard[] | null): Promise<void> => {
    if (busy || !home || role === null) return
    setBusy(true)
    setFailure(null)
    const body = { role, version: home.version, cards: cards && cards.map(({ id, span }) => ({ id, span })) }
    try {
      await host.request({ method: 'POST', path: `${HOME}/release`, body })
      host.notify('success', texts.released(roles?.find(({ code }) => code === role)?.title ?? role))
      show(role)
    } catch (error) {
      fail(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      width={1000}
      title={texts.roleHomes}
      okText={texts.release}
      okButtonProps={{ disabled: !touched || home === null }}
      cancelText={texts.cancel}
      confirmLoading={busy}
      onOk={() => void release(home?.cards ?? [])}
      onCancel={() => void close()}
    >
      <Flex vertical gap={16}>
        <Typography.Text type="secondary">{texts.roleHomesHelp}</Typography.Text>
        <Flex gap={8} wrap>
          <Select
            aria-label={texts.role}
            placeholder={texts.role}
            showSearch
            optionFilterProp="label"
            style={{ width: 320, maxWidth: '100%' }}
            loading={roles === null && failure === null}
            value={role}
            options={roles?.map(({ code, title }) => ({ value: code, label: title })) ?? []}
            onChange={(next: string) => void choose(next)}
          />
          {home !== null && home.version > 0 && (
            <Button disabled={busy} onClick={() => void release(null)}>
              {texts.shipped}
            </Button>
          )}
        </Flex>
        {failure !== null && <Alert type="error" showIcon message={failure} />}
        {role !== null && home === null && failure === null && (
          <Skeleton rows={4} columns={4} rowHeight={41} label={texts.loading} />
        )}
        {home && home.offered.length === 0 && <Typography.Text type="secondary">{texts.noCards}</Typography.Text>}
        {home && home.offered.length > 0 && (
          <Arrange
            bare
            cards={home.cards}
            offered={home.offered}
            round={0}
            onChange={(cards) => {
              setHome({ ...home, cards })
              setTouched(true)
            }}
          />
        )}
      </Flex>
    </Dialog>
  )
}
export default RoleHomes
