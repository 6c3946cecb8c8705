import { Button, Select } from 'antd'
import { Suspense, useState } from 'react'
import { tellChanged } from '../../../runtime/changes'
import { Dialog } from '../../../runtime/dialog/Dialog'
import { useHost } from '../../../runtime/hostContext'
import { lazyPart } from '../../../runtime/part/lazyPart'
import { tellFailure } from '../../../runtime/reading/tell'
import { follows } from '../parts/follow'
import { mailTexts } from '../parts/texts'
import type { Message, Person } from '../parts/types'
import { MAIL } from '../parts/useMailboxes'

const FormContainer = lazyPart(() => import('../../../runtime/action/FormContainer'), 'over')

/** Who sets up who follows up what comes. */
const RULES = 'setModule:email:inbox'

interface FollowBarProps {
  message: Message
  people: readonly Person[]
  mayWrite: boolean
  onChanged(): void
}

/** In a shared mailbox: who answers, how far it is, and whom it is handed to. */
export const FollowBar = ({ message, people, mayWrite, onChanged }: FollowBarProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [handing, setHanding] = useState(false)
  const [to, setTo] = useState<string>()
  const [isRuling, setRuling] = useState(false)
  const state = follows(host, message, people)
  if (!state) return null
  const { followStaffId, followState } = message
  const follower = people.find(({ id }) => id === followStaffId)
  const move = async (transition: string, values: object = {}): Promise<void> => {
    try {
      await host.request({
        method: 'POST',
        path: `${MAIL}/stateUpdate`,
        body: { ids: [message.id], field: 'followState', transition, ...values },
        idempotent: true,
      })
      if (transition === 'assign') host.notify('success', texts.handedOver)
    } catch (error) {
      tellFailure(host, error, 'mail.client follow')
    }
    setHanding(false)
    tellChanged(MAIL)
    onChanged()
  }
  const rule = { accountId: message.accountId, match: 'sender', value: message.senderEmail, followStaffId }
  return (
    <div className="sb-mail-follow">
      {isRuling && (
        <Suspense fallback={null}>
          <FormContainer
            form="mail/follow-rule"
            container="modal"
            title={texts.makeRule}
            values={rule}
            onDone={() => setRuling(false)}
            onCancel={() => setRuling(false)}
          />
        </Suspense>
      )}
      <span className={`sb-tag sb-tag-${state.color}`}>{state.text}</span>
      <span>{follower ? texts.follower(follower.name) : texts.noFollower}</span>
      {mayWrite && (
        <span className="sb-mail-acts">
          {(followState === 'new' || followState === 'reading') &&
            !state.isOther &&
            message.readingById !== host.user.staffId && (
              <Button size="small" onClick={() => void move('read')}>
                {texts.begin}
              </Button>
            )}
          <Button size="small" onClick={() => setHanding(true)}>
            {texts.handOver}
          </Button>
          {message.direction === 'in' && host.can(RULES) && (
            <Button size="small" onClick={() => setRuling(true)}>
              {texts.makeRule}
            </Button>
          )}
          {followState !== 'closed' && (
            <Button size="small" onClick={() => void move('close')}>
              {texts.close}
            </Button>
          )}
        </span>
      )}
      {handing && (
        <Dialog
          open
          title={texts.handOverTo}
          okText={texts.handOver}
          cancelText={texts.cancel}
          okButtonProps={{ disabled: to === undefined }}
          onOk={() => to !== undefined && void move('assign', { followStaffId: to })}
          onCancel={() => setHanding(false)}
        >
          <Select<string>
            showSearch
            optionFilterProp="label"
            style={{ width: '100%' }}
            aria-label={texts.handOverTo}
            value={to}
            options={people
              .filter(({ id }) => id !== followStaffId)
              .map(({ id, name, jobNumber }) => ({ value: id, label: `${name} (${jobNumber})` }))}
            onChange={setTo}
          />
        </Dialog>
      )}
    </div>
  )
}
