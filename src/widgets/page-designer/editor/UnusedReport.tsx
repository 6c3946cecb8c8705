import { Alert, Button, Input, Space } from 'antd'
import { useState } from 'react'
import { tellFailure } from '../../../runtime/reading/tell'
import { useHost } from '../../../runtime/hostContext'
import { designerTexts } from '../texts'
import type { TargetState, Unused } from '../types'
import { useDesign } from './design'
import { Dialog } from '../../../runtime/dialog/Dialog'

interface Props {
  state: TargetState
  onReload(): void
}

/** Released changes that collide with this release: what each collides with, what to do, and the ways to do it. */
export const UnusedReport = ({ state, onReload }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = designerTexts[locale]
  const { labels } = useDesign()
  const [asked, setAsked] = useState<'rename' | 'giveUp' | null>(null)
  const { unused } = state
  const made = unused.find(({ path, follows }) => path !== null && follows === null)
  const send = async (path: string, body: object, done: string): Promise<void> => {
    try {
      await host.request({ method: 'POST', path: `/v2/sys/schema/unused/${path}`, body: { target: state.target, ...body } })
      host.notify('success', done)
      setAsked(null)
      onReload()
    } catch (error) {
      tellFailure(host, error, 'page designer')
    }
  }
  const shownAt = ({ addresses, whole }: Unused): string =>
    whole ? state.target : addresses.map((at) => labels.address(at) || at).join(locale === 'zh' ? '、' : ', ')
  return (
    <Alert
      type="error"
      showIcon
      message={texts.unused(unused.reduce((sum, { addresses }) => sum + addresses.length, 0))}
      description={
        <>
          <ul className="sb-design-orphans">
            {unused.map((left) => (
              <li key={left.addresses.join()}>
                <strong>{shownAt(left)}</strong>
                {left.stands && ` (${texts.unusedStands})`}: {left.problem.message[locale]} {left.advice[locale]}
              </li>
            ))}
          </ul>
          {unused.some(({ follows }) => follows === null) && (
            <Space wrap size={8}>
              {made && (
                <Button size="small" onClick={() => setAsked('rename')}>
                  {texts.unusedRename}
                </Button>
              )}
              <Button size="small" danger onClick={() => setAsked('giveUp')}>
                {texts.unusedGiveUp}
              </Button>
            </Space>
          )}
          {asked === 'rename' && made && (
            <Renaming
              path={made.path ?? ''}
              named={made.problem.code === 'duplicate-id'}
              onClose={() => setAsked(null)}
              onDone={(body) => send('rename', body, texts.unusedDrafted)}
            />
          )}
          {asked === 'giveUp' && (
            <GivingUp
              onClose={() => setAsked(null)}
              onDone={(reason) => send('drop', { role: state.role, reason }, texts.unusedGivenUp)}
            />
          )}
        </>
      }
    />
  )
}

interface RenamingProps {
  path: string
  /** Its name is taken, too. */
  named: boolean
  onClose(): void
  onDone(body: { path: string; name?: string }): Promise<void>
}

const Renaming = ({ path: before, named, onClose, onDone }: RenamingProps) => {
  const texts = designerTexts[useHost().locale]
  const [path, setPath] = useState(before)
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const ready = path !== before && /^\/[A-Za-z0-9/_-]+$/.test(path) && (!named || /^[A-Za-z0-9-]+$/.test(name))
  return (
    <Dialog
      open
      title={texts.unusedRename}
      okText={texts.newMake}
      cancelText={texts.cancel}
      confirmLoading={busy}
      okButtonProps={{ disabled: !ready }}
      onOk={() => {
        setBusy(true)
        void onDone({ path, ...(named ? { name } : {}) }).finally(() => setBusy(false))
      }}
      onCancel={onClose}
    >
      <Space direction="vertical" className="sb-design-terms">
        {named && (
          <Input
            aria-label={texts.unusedName}
            placeholder={texts.newName}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <Input aria-label={texts.unusedPath} value={path} onChange={(event) => setPath(event.target.value)} />
      </Space>
    </Dialog>
  )
}

const GivingUp = ({ onClose, onDone }: { onClose(): void; onDone(reason: string): Promise<void> }) => {
  const texts = designerTexts[useHost().locale]
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open
      title={texts.unusedGiveUpAsk}
      okText={texts.unusedGiveUp}
      cancelText={texts.cancel}
      confirmLoading={busy}
      okButtonProps={{ danger: true, disabled: reason.trim().length < 2 }}
      onOk={() => {
        setBusy(true)
        void onDone(reason.trim()).finally(() => setBusy(false))
      }}
      onCancel={onClose}
    >
      <Input.TextArea
        aria-label={texts.reason}
        placeholder={texts.reasonHint}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  )
}
