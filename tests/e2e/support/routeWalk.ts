import type { Page, Request } from '@playwright/test'

/** What stands at an address. */
interface Standing {
  /** The first heading; empty = none. */
  title: string
  rows: number
  /** What is said instead of content: nothing found, not permitted. */
  says: readonly string[]
  /** What went wrong, as the page itself says it. */
  alerts: readonly string[]
  /** Words of a program that no person says: values without words, keys, names that are not translated. */
  raw: readonly string[]
  /** Columns of its list, and whether they are seen whole without scrolling sideways; empty = no table. */
  columns: readonly { id: string; isSeen: boolean }[]
  /** Sums whose words stand on one another, or not below their column, by column. */
  sums: readonly string[]
  /** There is something to fill in and a button that sends it. */
  sends: boolean
  /** Letters besides the heading. */
  letters: number
  /** What the page still waits for; empty when it is settled. */
  waits: string
}

export interface Stop extends Standing {
  /** What failed on the way: calls, the console, errors that nobody caught. */
  faults: readonly string[]
}

/** How long a page may take until nothing on it waits any more, ms. */
const LIMIT = 10_000
/** After so many pages the portal is loaded anew: it keeps every page that was opened. */
const FRESH_AFTER = 40
/** What a page does beside: nobody waits for these answers. */
const BESIDE = /\/mc\/sse\/|\/staff\/usage$/

/** The window of one person, who goes from page to page as by links, without loading the portal anew. */
export class RouteWalk {
  private readonly open = new Set<Request>()
  private faults: string[] = []
  private stops = 0

  constructor(private readonly page: Page) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => this.faults.push(`uncaught: ${error.stack ?? error.message}`))
    page.on('request', (request) => {
      if (!BESIDE.test(request.url())) this.open.add(request)
    })
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? ''
      // a page that is left gives up what it asked
      if (this.open.delete(request) && why !== 'net::ERR_ABORTED') this.faults.push(`${why}: ${addressOf(request)}`)
    })
    page.on('requestfinished', (request) => {
      if (this.open.has(request)) void this.read(request)
    })
  }

  /** Goes to an address and waits until it is settled. */
  async to(address: string): Promise<Stop> {
    this.stops += 1
    if (this.stops % FRESH_AFTER === 0) {
      await this.page.evaluate(() => sessionStorage.clear())
      await this.page.goto('/home')
      await this.page.locator('.sb-user').waitFor()
    }
    this.faults = []
    this.open.clear()
    const until = Date.now() + LIMIT
    let standing = await this.page.evaluate(standingAt, { address, limit: LIMIT })
    while (this.open.size > 0 && Date.now() < until) {
      await new Promise((wake) => setTimeout(wake, 10))
      // the last answer may be shown by something that waits for it
      if (this.open.size === 0) standing = await this.page.evaluate(standingAt, { address: null, limit: LIMIT })
    }
    const unanswered = [...this.open].map((request) => `without an answer: ${addressOf(request)}`)
    return { ...standing, faults: [...new Set([...this.faults, ...unanswered])] }
  }

  private async read(request: Request): Promise<void> {
    try {
      const response = await request.response()
      if (!response) return
      if (response.status() >= 400) this.faults.push(`${response.status()} ${addressOf(request)}`)
      else if (request.url().includes('/v2/') && response.headers()['content-type']?.includes('json')) {
        const { code = 0, msg = '' } = (await response.json()) as { code?: number; msg?: string }
        if (code !== 0) this.faults.push(`${code} ${addressOf(request)}: ${msg}`)
      }
    } catch {
      // the page was loaded anew before its answer was read
    } finally {
      this.open.delete(request)
    }
  }
}

function addressOf(request: Request): string {
  const { pathname, search } = new URL(request.url())
  return pathname + search
}

/** Runs in the page: goes to the address (null = stays), waits until nothing waits any more, and reads what stands there. */
async function standingAt({ address, limit }: { address: string | null; limit: number }): Promise<Standing> {
  const RAW = /\[object \w+\]|\b(?:undefined|NaN|Invalid Date)\b|\d{4}-\d\d-\d\dT\d\d:\d\d|\{\{|\}\}/
  /** crm.customer.name, crm:customer:add, toConfirm */
  const KEY = /^(?:[a-z]\w*(?:[.:][a-z]\w*){2,}|[a-z]+(?:[A-Z][a-z]+)+)$/
  const NAMES = 'th, dt, label, [role=tab]'
  const LABELS = `${NAMES}, h1, h2, legend, button, .ant-tag, .sb-tag`
  const WAITING = '.sb-skeleton, .ant-skeleton, .ant-spin-spinning, .sb-page-wait, [aria-busy="true"]'
  const isSeen = (one: Element): boolean => one.checkVisibility({ visibilityProperty: true })
  if (address !== null) {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }
  const path = location.pathname
  const pageOf = (): HTMLElement | undefined => [...document.querySelectorAll<HTMLElement>('.sb-page')].find(isSeen)
  const waitsFor = (): string => {
    const content = document.querySelector('#sb-content')
    if (!content) return 'the frame of the portal'
    const waiting = [...content.querySelectorAll(WAITING)].find(isSeen)
    if (waiting) return waiting.className || waiting.tagName
    const page = pageOf()
    // what is no page of the portal, such as a refusal, is a screen with a heading
    if (!page) return content.querySelector('h1, h2') ? '' : 'a page'
    const shown = (page.dataset.page ?? '').split('?')[0]
    // whoever has no mailbox is led from mail to where one is bound
    const isLed = shown === '/message/email/none' && /email|Box/.test(path)
    if (shown !== path && !isLed) return 'its page'
    return page.innerText.trim() === '' ? 'the first word' : ''
  }
  const until = Date.now() + limit
  let waits = 'its page'
  // settled twice in a row: an effect may begin to wait after the page was drawn
  for (let settled = 0; settled < 2 && Date.now() < until; settled = waits === '' ? settled + 1 : 0) {
    await new Promise((wake) => setTimeout(wake, 15))
    waits = waitsFor()
  }
  const place = pageOf() ?? document.querySelector<HTMLElement>('#sb-content') ?? document.body
  const seen = (selector: string): string[] =>
    [...place.querySelectorAll<HTMLElement>(selector)]
      .filter(isSeen)
      .map((one) => one.innerText.trim().replace(/\s+/g, ' ').slice(0, 160))
  const title = seen('h1, h2')[0] ?? ''
  const scroller = [...place.querySelectorAll<HTMLElement>('.sb-scroller')].find(isSeen)
  const heads = [...(scroller?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])]
  const right = (scroller?.getBoundingClientRect().left ?? 0) + (scroller?.clientWidth ?? 0)
  const trail = scroller?.querySelector<HTMLElement>('th.sb-row-acts')?.offsetWidth ?? 0
  const feet = [...(scroller?.querySelectorAll<HTMLElement>('tfoot td.sb-sum') ?? [])].map((cell) => {
    const words = document.createRange()
    words.selectNodeContents(cell)
    return { cell, box: cell.getBoundingClientRect(), words: words.getBoundingClientRect() }
  })
  const sums = feet.flatMap(({ cell, box, words }, index) => {
    const next = feet[index + 1]
    const isCovered = next !== undefined && words.right > next.box.left + 1 && next.box.left > box.left
    const isCut = cell.scrollWidth > cell.clientWidth + 1
    return isCovered || isCut ? [cell.innerText] : []
  })
  const isEnglish = document.documentElement.lang.startsWith('en')
  return {
    title,
    rows: seen('tr[data-key], .sb-card[data-key]').length,
    says: seen('.sb-state'),
    alerts: seen('[role=alert]:not(.ant-alert-info, .ant-alert-success), .sb-page-notice'),
    raw: [
      ...place.innerText.split('\n').filter((line) => RAW.test(line)),
      ...seen(LABELS).filter((label) => KEY.test(label)),
      ...(isEnglish ? seen(NAMES).filter((name) => /\p{Script=Han}/u.test(name)) : []),
    ].slice(0, 5),
    columns: heads.map((head) => ({
      id: head.dataset.column ?? '',
      isSeen: head.getBoundingClientRect().right <= right - (head.classList.contains('sb-pin') ? 0 : trail) + 1,
    })),
    sums,
    sends: seen('[data-submit]').length > 0,
    letters: place.innerText.length - title.length,
    waits,
  }
}
