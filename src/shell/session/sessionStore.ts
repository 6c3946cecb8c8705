import { makeAutoObservable, observableRef, runInAction } from 'mobx'
import { RequestError, type HostUser } from '../../headless/host'
import { NO_RIGHTS, type MenuEmbed, type Rights } from '../guard/authorization'
import type { Http } from '../http/client'
import type { MenuResource } from '../layout/menu'

const BASE = '/v2/sys/staff/overseas'

/** Who is signed in and what that person may see. */
export class SessionStore {
  user: HostUser | null = null
  resources: readonly MenuResource[] = []
  rights: Rights = NO_RIGHTS
  private readonly http: Http

  constructor(http: Http) {
    this.http = http
    makeAutoObservable<this, 'http'>(
      this,
      { http: false, user: observableRef, resources: observableRef, rights: observableRef },
      { autoBind: true },
    )
  }

  /** Fetches the user once (R181, R182). Rejects when that fails; the caller signs out (R183). */
  async loadUser(): Promise<HostUser> {
    if (this.user !== null) return this.user
    const answer = await this.http.request<Partial<HostUser> | null>({ method: 'GET', path: `${BASE}/getUserInfo` })
    if (typeof answer?.userId !== 'string' && typeof answer?.userId !== 'number') throw new RequestError('malformed', '')
    const user: HostUser = {
      userId: String(answer.userId),
      staffId: String(answer.staffId ?? ''),
      name: answer.name ?? '',
      jobNumber: answer.jobNumber ?? '',
      avatar: answer.avatar ?? null,
      jobTime: answer.jobTime ?? null,
      deptNames: answer.deptNames ?? [],
    }
    runInAction(() => {
      this.user = user
    })
    return user
  }

  /** Menu and button resources, one call each (R301, R317). A failure leaves the person with none (R381, R382). */
  async loadRights(): Promise<void> {
    const get = async <T>(path: string): Promise<readonly T[]> => {
      const data = await this.http.request<unknown>({ method: 'GET', path: `${BASE}/${path}`, query: { mobileFlag: false } })
      return Array.isArray(data) ? (data as T[]) : []
    }
    const [menu, buttons] = await Promise.allSettled([
      get<MenuResource>('getResourceByMenu'),
      get<{ international?: string } | string>('getResourceByBtn'),
    ])
    const resources = menu.status === 'fulfilled' ? menu.value : []
    const routers = new Set<string>()
    const keys = new Set<string>()
    const embeds = new Map<string, MenuEmbed>()
    const walk = (list: readonly MenuResource[], above?: string) => {
      for (const item of list) {
        const module = above ?? item.international.split(':')[0] ?? ''
        if (item.router && item.iframeName) embeds.set(item.router, { iframeName: item.iframeName, module })
        if (item.router) routers.add(item.router)
        if (item.international) keys.add(item.international)
        walk(item.children ?? [], module)
      }
    }
    walk(resources)
    for (const item of buttons.status === 'fulfilled' ? buttons.value : []) {
      const key = typeof item === 'string' ? item : item.international
      if (key) keys.add(key)
    }
    runInAction(() => {
      this.resources = resources
      this.rights = { routers, keys, embeds }
    })
  }

  can(key: string): boolean {
    return this.rights.keys.has(key)
  }
}
