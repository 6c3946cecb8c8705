import { useCallback, useEffect, useState } from 'react'
import { useHost } from '../../runtime/hostContext'

/** Counts of the home page (R319). */
export interface Statistics {
  myCustomer: number
  todayCustomer: number
  task: number
  todaySend: number
}
/** A page that somebody put on his home page (R321). */
export interface QuickEntry {
  id: string
  name: string
  router: string
  newWindow?: boolean
}
/** When and how the person signed in before, and whether the password is old (R324). */
interface LoginPrompt {
  lastSignInAt?: string | null
  lastSignInIp?: string | null
  lastSignInWay?: string | null
  passwordAgeDays?: number | null
  passwordOld?: boolean
}
/** A page that the person may give to prospects: who comes through it is his (R320). */
export interface PromotionLink {
  name: string
  link: string
}
interface MenuResource {
  id: string
  name: string
  router: string | null
  children?: readonly MenuResource[]
}

const ZERO: Statistics = { myCustomer: 0, todayCustomer: 0, task: 0, todaySend: 0 }
const QUICK = '/v2/sys/staff/quickEntrance'

/** Figures and quick entries; what cannot be loaded falls back to zero and none without a word (R381). */
export function useHome() {
  const host = useHost()
  const [statistics, setStatistics] = useState<Statistics | null>(null)
  const [entries, setEntries] = useState<readonly QuickEntry[] | null>(null)
  const [prompt, setPrompt] = useState<LoginPrompt>({})
  const [links, setLinks] = useState<readonly PromotionLink[]>([])

  const loadEntries = useCallback(
    () =>
      host
        .request<QuickEntry[]>({ method: 'GET', path: `${QUICK}/getUserQuickEntranceList` })
        .catch(() => [])
        .then((list) => setEntries(list.filter((entry) => host.canOpen(entry.router)))),
    [host],
  )
  useEffect(() => {
    host
      .request<Statistics>({ method: 'POST', path: '/v2/crm/index/customer/statistics', body: {} })
      .catch(() => ZERO)
      .then(setStatistics)
    host
      .request<LoginPrompt | null>({ method: 'GET', path: '/v2/sys/staff/sysLoginPrompt/genQuery/one' })
      .catch(() => null)
      .then((answer) => setPrompt(answer ?? {}))
    host
      .request<PromotionLink[]>({
        method: 'GET',
        path: '/v2/crm/index/promotionLink',
        query: { jobNumber: host.user.jobNumber },
      })
      .catch(() => [])
      .then(setLinks)
    void loadEntries()
  }, [host, loadEntries])

  /** Every page in the person's menu that can be opened. */
  const choices = useCallback(async (): Promise<QuickEntry[]> => {
    const tree = await host.request<MenuResource[]>({
      method: 'GET',
      path: '/v2/sys/staff/overseas/getResourceByMenu',
      query: { mobileFlag: false },
    })
    const flat = (list: readonly MenuResource[]): QuickEntry[] =>
      list.flatMap(({ id, name, router, children }) => [
        ...(router && host.canOpen(router) ? [{ id, name, router }] : []),
        ...flat(children ?? []),
      ])
    return flat(tree)
  }, [host])

  const save = useCallback(
    async (ids: readonly string[]): Promise<void> => {
      await host.request({ method: 'POST', path: `${QUICK}/patchSaveQuickEntrance`, body: { ids } })
      await loadEntries()
    },
    [host, loadEntries],
  )
  return { statistics, entries, links, prompt, choices, save }
}
