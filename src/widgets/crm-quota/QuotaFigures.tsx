import { Flex, Typography } from 'antd'
import { useHost } from '../../runtime/hostContext'
import { useQuota, type Quota } from './useQuota'

/** Whose quota it is: the base path of the entity's calls. */
export interface OfEntity {
  path?: string | undefined
}

interface Figure {
  id: string
  label: string
  used: number
  limit: number
  warnAt: number
}

/** Figures in one line: used of limit with a native meter; words and numbers carry the meaning, the colour only helps. */
export const QuotaFigures = ({
  path = '/v2/crm/customer',
  select,
}: OfEntity & { select: (quota: Quota, zh: boolean) => readonly Figure[] }) => {
  const { locale } = useHost()
  const state = useQuota(path)
  if (state.status === 'loading') return <div role="status" aria-busy="true" style={{ height: 22 }} />
  if (state.status === 'failed') return <Typography.Text type="secondary">{state.reason}</Typography.Text>
  return (
    <Flex gap="4px 24px" wrap>
      {select(state.quota, locale === 'zh').map(({ id, label, used, limit, warnAt }) => {
        return (
          <Flex key={id} gap={8} align="center">
            <Typography.Text type="secondary" style={{ whiteSpace: 'nowrap' }}>
              {label}
            </Typography.Text>
            <Typography.Text strong style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
              {used} / {limit}
            </Typography.Text>
            <meter
              min={0}
              max={limit}
              value={Math.min(used, limit)}
              high={(limit * warnAt) / 100}
              aria-label={`${label} ${used} / ${limit}`}
              style={{ width: 72 }}
            />
          </Flex>
        )
      })}
    </Flex>
  )
}
