import { Flex, Progress, Typography } from 'antd'
import { useHost } from '../../runtime/hostContext'
import { useQuota, type Quota } from './useQuota'

interface Figure {
  id: string
  label: string
  used: number
  limit: number
  warnAt: number
}

/** Figures in one line: used of limit with a thin bar; words and numbers carry the meaning, the colour only helps. */
export const QuotaFigures = ({ select }: { select: (quota: Quota, zh: boolean) => readonly Figure[] }) => {
  const { locale } = useHost()
  const state = useQuota()
  if (state.status === 'loading') return <div role="status" aria-busy="true" style={{ height: 22 }} />
  if (state.status === 'failed') return <Typography.Text type="secondary">{state.reason}</Typography.Text>
  return (
    <Flex gap={24} wrap>
      {select(state.quota, locale === 'zh').map(({ id, label, used, limit, warnAt }) => {
        const percent = limit > 0 ? Math.min(100, (used / limit) * 100) : 100
        const status = percent >= 100 ? 'exception' : percent >= warnAt ? 'active' : 'normal'
        return (
          <Flex key={id} gap={8} align="center">
            <Typography.Text type="secondary" style={{ whiteSpace: 'nowrap' }}>
              {label}
            </Typography.Text>
            <Typography.Text strong style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
              {used} / {limit}
            </Typography.Text>
            <Progress
              percent={percent}
              status={status}
              showInfo={false}
              size={[72, 4]}
              style={{ width: 72 }}
              aria-label={`${label} ${used} / ${limit}`}
            />
          </Flex>
        )
      })}
    </Flex>
  )
}
