import type { CSSProperties } from 'react'
import { useHost } from '../../runtime/hostContext'
import { useTokenStyle } from '../../runtime/tokens'
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

const SECONDARY: CSSProperties = { color: 'var(--sb-text-secondary)', whiteSpace: 'nowrap' }

/** Figures in one line: used of limit with a native meter; words and numbers carry the meaning, the colour only helps. */
export const QuotaFigures = ({
  path = '/v2/crm/customer',
  select,
}: OfEntity & { select: (quota: Quota, zh: boolean) => readonly Figure[] }) => {
  const { locale } = useHost()
  const state = useQuota(path)
  const style = useTokenStyle()
  if (state.status === 'loading') return <div role="status" aria-busy="true" style={{ height: 22 }} />
  if (state.status === 'failed') return <span style={{ ...style, ...SECONDARY, whiteSpace: 'normal' }}>{state.reason}</span>
  return (
    <div style={{ ...style, display: 'flex', flexWrap: 'wrap', gap: '4px 24px' }}>
      {select(state.quota, locale === 'zh').map(({ id, label, used, limit, warnAt }) => {
        return (
          <div key={id} style={{ display: 'flex', gap: 8, alignItems: 'center' }}>
            <span style={SECONDARY}>{label}</span>
            <strong style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
              {used} / {limit}
            </strong>
            <meter
              min={0}
              max={limit}
              value={Math.min(used, limit)}
              high={(limit * warnAt) / 100}
              aria-label={`${label} ${used} / ${limit}`}
              style={{ width: 72 }}
            />
          </div>
        )
      })}
    </div>
  )
}
