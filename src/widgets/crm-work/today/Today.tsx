import { Alert, Button, Empty, Flex, Typography } from 'antd'
import { useState } from 'react'
import { isAborted, toFailure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { TaskGroup, type Group, type Task } from './TaskGroup'
import { todayTexts } from './texts'

interface Day {
  day: string
  groups: readonly Group[]
}
/** What was just done, and how it is taken back. */
interface Done {
  text: string
  undo(): Promise<unknown>
}

/** The day of a salesman: what is due, the most urgent first, done without leaving the page. */
const Today = () => {
  const host = useHost()
  const texts = todayTexts[host.locale]
  const answer = useCall<Day>({ method: 'GET', path: '/v2/crm/index/today' })
  const [done, setDone] = useState<Done | null>(null)
  const [failed, setFailed] = useState<string | null>(null)

  const attempt = async (work: () => Promise<Done | null>): Promise<void> => {
    setFailed(null)
    try {
      setDone(await work())
      answer.reload()
    } catch (error) {
      if (!isAborted(error)) setFailed(texts.failed(toFailure(error, host.locale).message))
    }
  }
  const followed = (task: Task, followUpId: string): Promise<void> =>
    attempt(() =>
      Promise.resolve({
        text: texts.followed(task.title),
        undo: () => host.request({ method: 'GET', path: `/v2/crm/followUp/delete/${encodeURIComponent(followUpId)}` }),
      }),
    )
  const move = (task: Task, transition: string) =>
    host.request({ method: 'POST', path: '/v2/sys/todo/stateUpdate', body: { ids: [task.id], transition }, idempotent: true })
  const finish = (task: Task): Promise<void> =>
    attempt(async () => {
      await move(task, 'done')
      return { text: texts.finished(task.title), undo: () => move(task, 'reopen') }
    })

  return (
    <Flex vertical gap={16} style={{ maxWidth: 1200, marginInline: 'auto' }}>
      {failed && <Alert type="error" showIcon closable message={failed} onClose={() => setFailed(null)} />}
      {done && (
        <Alert
          type="success"
          showIcon
          message={done.text}
          action={
            <Flex gap={8}>
              <Button
                size="small"
                onClick={() =>
                  void attempt(async () => {
                    await done.undo()
                    return null
                  })
                }
              >
                {texts.undo}
              </Button>
              <Button size="small" type="text" onClick={() => setDone(null)}>
                {texts.dismiss}
              </Button>
            </Flex>
          }
        />
      )}
      <Loaded call={answer}>
        {({ day, groups }) => (
          <>
            <Typography.Title level={1} style={{ margin: 0, fontSize: 20 }}>
              {texts.title(day)}
            </Typography.Title>
            {groups.length === 0 && (
              <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={texts.nothing}>
                {host.canOpen('/crm/client-partner/open-sea') && (
                  <Button onClick={() => host.navigate('/crm/client-partner/open-sea')}>{texts.sea}</Button>
                )}
              </Empty>
            )}
            {groups.map((group) => (
              <TaskGroup
                key={group.id}
                group={group}
                onFollowed={(task, followUpId) => void followed(task, followUpId)}
                onDone={(task) => void finish(task)}
              />
            ))}
          </>
        )}
      </Loaded>
    </Flex>
  )
}
export default Today
