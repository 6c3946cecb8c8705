import { makeAutoObservable, observableRef, runInAction } from 'mobx'
import type { Http } from '../http/client'
import { createRouteTable, isRouteTableData, type RouteTable, type RouteTableData } from './routeTable'

const PATH = '/v2/sys/page/routes'
const KEY = 'switchboard.routes'

interface KeptRoutes {
  etag: string | null
  data: RouteTableData
}

/** The route table: from the gateway, revalidated; the kept copy when the gateway cannot answer. */
export class RouteStore {
  table: RouteTable = createRouteTable({ revision: '', modules: [], routes: [] })
  /** local: the gateway could not be asked, and the kept list is used. */
  from: 'none' | 'gateway' | 'local' = 'none'
  private readonly http: Http
  private readonly storage: Storage

  constructor(http: Http, storage: Storage) {
    this.http = http
    this.storage = storage
    makeAutoObservable<this, 'http' | 'storage'>(this, { http: false, storage: false, table: observableRef }, { autoBind: true })
  }

  /** Rejects with RequestError only when neither the gateway nor a kept list can answer. */
  async load(): Promise<void> {
    const kept = this.kept()
    try {
      const answer = await this.http.conditional<unknown>({ method: 'GET', path: PATH }, kept?.etag ?? null)
      if (answer.unchanged && kept) this.use(kept.data, 'gateway')
      else if (!answer.unchanged && isRouteTableData(answer.data)) {
        this.keep({ etag: answer.etag, data: answer.data })
        this.use(answer.data, 'gateway')
      } else throw new TypeError('the route list has another shape')
    } catch (error) {
      if (kept === null) throw error
      this.use(kept.data, 'local')
    }
  }

  /** Refreshing from the upgrade banner clears the kept list (R384). */
  forget(): void {
    this.storage.removeItem(KEY)
  }

  private use(data: RouteTableData, from: 'gateway' | 'local') {
    runInAction(() => {
      this.table = createRouteTable(data)
      this.from = from
    })
  }

  private kept(): KeptRoutes | null {
    try {
      const value: unknown = JSON.parse(this.storage.getItem(KEY) ?? 'null')
      if (typeof value !== 'object' || value === null || !('data' in value) || !isRouteTableData(value.data)) return null
      return { data: value.data, etag: 'etag' in value && typeof value.etag === 'string' ? value.etag : null }
    } catch {
      return null
    }
  }

  private keep(value: KeptRoutes) {
    try {
      this.storage.setItem(KEY, JSON.stringify(value))
    } catch {
      // A full or forbidden storage costs only the copy for bad days.
    }
  }
}
