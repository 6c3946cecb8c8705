import '../parts/process.css'
import { CopyOutlined, StarFilled, StarOutlined } from '@ant-design/icons'
import { Button, Input, Tooltip } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { Icon } from '../../../runtime/icon/Icon'
import { ICONS } from '../../../runtime/icon/iconSet'
import { Loaded } from '../../../runtime/reading/Loaded'
import { tellFailure } from '../../../runtime/reading/tell'
import { useCall } from '../../../runtime/reading/useCall'
import { State } from '../../../runtime/state'
import { useTokenStyle } from '../../../runtime/tokens'
import { PortalLink } from '../parts/PortalLink'
import { partTexts } from '../parts/texts'
import type { StartableChoice, Summary, Text } from '../parts/types'
import { When } from '../parts/When'
import { Delegation } from './Delegation'
import { startTexts } from './texts'

const SUBMIT = '/general/process/sponsor/submit'
const FAVOURITES = 'approvals.favourites'
/** Those that the portal brings, in their order; what modules add to the dictionary stands behind them. */
const GROUPS = ['credit', 'money', 'price', 'supplier', 'customer', 'ops', 'hr']
const COUNTS = [
  ['todoNum', '/general/process/my-agent'],
  ['applyNum', '/general/process/my-initiate?view=running'],
  ['handleNum', '/general/process/my-handle'],
  ['ccNum', '/general/process/my-deliver?view=unread'],
] as const
const RECENT = 4

interface Startable {
  id: string
  code: string
  name: Text
  group: string
  /** What the dictionary calls it. */
  groupName: Text
  icon: string | null
  applyPath: string
}
const startable = ({ label, extra }: StartableChoice): Startable => ({ ...extra, name: label })

/** A row of my/applyPage, as far as it is needed here. */
interface Mine {
  instanceId: string
  code: string
  title: Text
  processId: string
  processName: Text
  arrivedAt: string | null
}

/** Documents may write the names of icons with hyphens, as antd's pages do; one that the portal does not have gives way. */
const iconOf = ({ icon }: Startable): string => {
  const name = (icon ?? '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return name in ICONS ? name : 'audit'
}

const addressOf = ({ code, applyPath }: Startable): string => applyPath || `${SUBMIT}?code=${encodeURIComponent(code)}`
const withQuery = (address: string, name: string, value: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`

/** Where applications begin: what may be started, by group; what was used lately, drafts, and how much waits where. */
const Start = () => {
  const host = useHost()
  const { locale } = host
  const texts = startTexts[locale]
  const style = useTokenStyle()
  const processes = useCall<readonly StartableChoice[]>({ method: 'GET', path: '/v2/workflow/select/process' })
  const counts = useCall<Summary>({ method: 'POST', path: '/v2/workflow/my/summary', body: {} })
  const mine = useCall<{ total: number; list: readonly Mine[] }>({
    method: 'POST',
    path: '/v2/workflow/my/applyPage',
    body: { pageNum: 1, pageSize: 50 },
  })
  const drafts = useCall<{ total: number; list: readonly Mine[] }>({
    method: 'POST',
    path: '/v2/workflow/my/applyPage',
    body: { pageNum: 1, pageSize: 10, status: 'draft' },
  })
  return (
    <div className="sb-process" style={style}>
      <header className="sb-process-head">
        <h1>{texts.title}</h1>
        <Delegation />
      </header>
      <nav className="sb-start-counts" aria-label={texts.title}>
        {COUNTS.map(([key, address]) => (
          <PortalLink key={key} address={address} className="sb-start-count">
            <strong>{counts.data?.[key] ?? (counts.failure ? '—' : '…')}</strong>
            {texts.counts[key]}
          </PortalLink>
        ))}
      </nav>
      <Loaded call={processes} rows={6}>
        {(all) => <Cards all={all.map(startable)} mine={mine.data?.list ?? []} drafts={drafts.data?.list ?? []} />}
      </Loaded>
    </div>
  )
}
export default Start

const Cards = ({ all, mine, drafts }: { all: readonly Startable[]; mine: readonly Mine[]; drafts: readonly Mine[] }) => {
  const host = useHost()
  const { locale } = host
  const texts = startTexts[locale]
  const words = partTexts[locale]
  const [typed, setTyped] = useState('')
  const [favourites, setFavourites] = useState<readonly string[]>([])
  useEffect(() => {
    host.preference<readonly string[]>(FAVOURITES).then(
      (kept) => setFavourites(Array.isArray(kept) ? kept : []),
      // none are shown, and one can still be chosen
      () => undefined,
    )
  }, [host])
  const star = (code: string): void => {
    const next = favourites.includes(code) ? favourites.filter((one) => one !== code) : [...favourites, code]
    setFavourites(next)
    host.savePreference(FAVOURITES, next).catch((error: unknown) => {
      setFavourites(favourites)
      tellFailure(host, error, 'favourite processes')
    })
  }
  const lastOf = useMemo(() => {
    const last = new Map<string, string>()
    for (const { processId, instanceId } of mine) if (!last.has(processId)) last.set(processId, instanceId)
    return last
  }, [mine])
  const wanted = typed.trim().toLowerCase()
  const fits = ({ code, name }: Startable): boolean =>
    wanted === '' || [code, name.zh, name.en].some((text) => text.toLowerCase().includes(wanted))
  const found = all.filter(fits)
  const chosen = found.filter(({ code }) => favourites.includes(code))
  const recent = [...lastOf.keys()]
    .flatMap((id) => found.filter((one) => one.id === id))
    .filter(({ code }) => !favourites.includes(code))
    .slice(0, RECENT)
  const groups = [...new Set([...GROUPS, ...found.map(({ group }) => group)])]
    .map((group) => ({ group, items: found.filter((one) => one.group === group) }))
    .filter(({ items }) => items.length > 0)
  const section = (id: string, title: string, items: readonly Startable[]) =>
    items.length > 0 && (
      <section key={id}>
        <h2>{title}</h2>
        <ul className="sb-start-cards" aria-label={title}>
          {items.map((item) => (
            <Card key={item.id} item={item} starred={favourites.includes(item.code)} last={lastOf.get(item.id)} onStar={star} />
          ))}
        </ul>
      </section>
    )

  if (all.length === 0) return <State role="status" title={texts.none} text={texts.noneText} />
  return (
    <>
      <div className="sb-start-tools">
        <Input.Search
          allowClear
          style={{ maxWidth: 320 }}
          placeholder={texts.search}
          aria-label={texts.search}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {wanted === '' && drafts.length > 0 && (
        <section>
          <h2>{texts.drafts}</h2>
          <ul className="sb-start-cards" aria-label={texts.drafts}>
            {drafts.map(({ instanceId, title, processName, arrivedAt }) => (
              <li key={instanceId} className="sb-start-card">
                <div className="sb-start-words">
                  <PortalLink address={withQuery(SUBMIT, 'instanceId', instanceId)}>
                    {title[locale] || texts.draftOf(processName[locale])}
                  </PortalLink>
                  <p>
                    {title[locale] && title[locale] !== processName[locale] ? `${processName[locale]} ` : ''}
                    {arrivedAt ? <When at={arrivedAt} /> : null}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {wanted === '' && section('favourites', texts.favourites, chosen)}
      {wanted === '' && section('recent', texts.recent, recent)}
      {groups.map(({ group, items }) => section(group, words.groups[group] ?? items[0]?.groupName[locale] ?? group, items))}
      {found.length === 0 && (
        <State role="status" title={texts.nothing(typed.trim())}>
          <Button onClick={() => setTyped('')}>{texts.clear}</Button>
        </State>
      )}
    </>
  )
}

interface CardProps {
  item: Startable
  starred: boolean
  /** The application of it that this person submitted last. */
  last: string | undefined
  onStar(code: string): void
}

const Card = ({ item, starred, last, onStar }: CardProps) => {
  const host = useHost()
  const texts = startTexts[host.locale]
  const name = item.name[host.locale]
  const address = addressOf(item)
  return (
    <li className="sb-start-card" data-process={item.code}>
      <span className="sb-start-icon" aria-hidden="true">
        <Icon name={iconOf(item)} />
      </span>
      <div className="sb-start-words">
        <PortalLink address={address} label={texts.start(name)}>
          {name}
        </PortalLink>
      </div>
      {last !== undefined && (
        <Tooltip title={texts.copyLast}>
          <Button
            type="text"
            size="small"
            icon={<CopyOutlined />}
            aria-label={texts.copyLastOf(name)}
            onClick={() => host.navigate(withQuery(address, 'copyFrom', last))}
          />
        </Tooltip>
      )}
      <Button
        type="text"
        size="small"
        aria-pressed={starred}
        icon={starred ? <StarFilled style={{ color: 'var(--sb-warning)' }} /> : <StarOutlined />}
        aria-label={(starred ? texts.remove : texts.add)(name)}
        onClick={() => onStar(item.code)}
      />
    </li>
  )
}
