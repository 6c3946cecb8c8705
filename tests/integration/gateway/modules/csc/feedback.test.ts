import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../../../support/gateway'
import { openOffice, type Office, type Person } from '../office'

const BASE = '/v2/sys/staff'
const REFUSED = 10010003
const NOT_FOUND = 10010004
const PAGE = '/crm/client-partner/my-client'
const RATING = { evaluateType: 'page', kind: 'score' } as const

let office: Office
/** The menu entry of the page that asks for ratings. */
let resourceId: string

beforeAll(async () => {
  office = await openOffice()
  const [menu] = await office.rows<{ id: string }>('select id from sys_menu_resource where router = $1', [PAGE])
  resourceId = menu!.id
})
afterAll(() => office.test.close())

const post = async <T = { id: string; code: string }>(
  person: Person,
  call: string,
  body: object,
  headers: Record<string, string> = {},
) => (await office.as(person)).post<T>(`${BASE}/${call}`, body, { 'accept-language': 'en', ...headers })
const get = async <T>(person: Person, call: string): Promise<Answer<T>> =>
  (await office.as(person)).get<T>(`${BASE}/${call}`, { 'accept-language': 'en' })
const good = async <T>(answer: Promise<Answer<T>>): Promise<T> => {
  const { code, data, text } = await answer
  expect([code, text]).toEqual([0, expect.anything()])
  return data
}
const write = (person: Person, more: object = {}): Promise<{ id: string; code: string }> =>
  good(
    post(person, 'feedback/commitFeedback', {
      kind: 'fault',
      title: 'No export',
      content: '<p>The button is gone.</p>',
      pageUrl: PAGE,
      ...more,
    }),
  )
const unread = (person: Person): Promise<number> => good(get<number>(person, 'feedback/countResponeFeedback'))
const stored = async (id: string) =>
  (await office.rows<Record<string, unknown>>('select * from csc_feedback where id = $1', [id]))[0]!
const opened = (person: Person, id: string) =>
  good(get<{ record: Record<string, unknown> }>(person, `feedback/getFeedbackDetail?id=${id}`))
const page = (person: Person, call: string, body: object = {}) =>
  good(post<{ records: { id: string }[]; total: number }>(person, `feedback/${call}`, body))

describe('feedback', () => {
  it('F3 R010 R306 is written about a page, answered by a manager, and the badge of its sender counts the answer until he opens it', async () => {
    const { id, code } = await write('seller')
    expect(code).toMatch(/^FB\d+/)
    expect(await stored(id)).toMatchObject({ staff_id: 'seller', resource_id: resourceId, status: 'new', page_url: PAGE })
    const [module] = await office.rows(
      'select m.international from csc_feedback f join sys_menu_resource m on m.id = f.module_id where f.id = $1',
      [id],
    )
    expect(module).toEqual({ international: 'crm:crm' })
    expect(await office.rows(`select staff_id from sys_todo where subject_id = $1 and status = 'open' order by 1`, [id])).toEqual(
      [{ staff_id: 'service' }, { staff_id: 'serviceLead' }],
    )
    const waiting = await good(get<number>('service', 'feedback/countUnReply'))
    await good(post('service', 'feedback/feedbackReply', { id, content: '<p>It is back.</p>' }))
    expect(await stored(id)).toMatchObject({ status: 'answered', handler_id: 'service', in_time: true })
    expect(await good(get<number>('service', 'feedback/countUnReply'))).toBe(waiting - 1)
    expect(await office.rows(`select 1 from sys_todo where subject_id = $1 and status = 'open'`, [id])).toEqual([])
    expect(await unread('seller')).toBe(1)
    await opened('service', id)
    expect(await unread('seller')).toBe(1)
    await opened('seller', id)
    expect(await unread('seller')).toBe(0)
    expect(await office.rows(`select status from sys_message where subject_id = $1 and receiver_id = 'seller'`, [id])).toEqual([
      { status: 'read' },
    ])
  })

  it('F4 is one record however often the same request comes', async () => {
    const { key } = await good(get<{ key: string }>('seller', 'common/request/idempotence'))
    const sent = { kind: 'wish', title: 'Twice', content: '<p>Clicked twice.</p>' }
    const twice = () => post('seller', 'feedback/commitFeedback', sent, { 'Idempotency-Key': key })
    const [first] = await Promise.all([twice(), twice()])
    const third = await good(twice())
    expect(first!.code === 0 ? first!.data : third).toEqual(third)
    expect(await office.rows(`select 1 from csc_feedback where title = 'Twice'`)).toHaveLength(1)
  })

  it('is due two working days later, overdue after that, and answered late then', async () => {
    office.until('2026-12-04')
    const { id } = await write('seller')
    expect((await opened('service', id)).record).toMatchObject({ dueOn: '2026-12-08', overdue: false })
    office.until('2026-12-09')
    expect((await opened('service', id)).record).toMatchObject({ overdue: true })
    await good(post('service', 'feedback/feedbackReply', { id, content: '<p>Sorry, late.</p>' }))
    expect(await stored(id)).toMatchObject({ in_time: false })
    expect((await opened('service', id)).record).toMatchObject({ overdue: false })
  })

  it('keeps notes from the sender, and the feedback of others from everybody who does not manage it', async () => {
    const { id } = await write('seller')
    await good(post('service', 'feedback/feedbackReply', { id, content: '<p>He always says that.</p>', internal: true }))
    expect(await stored(id)).toMatchObject({ status: 'new', unread_by_owner: 0 })
    const replies = async (person: Person): Promise<number> =>
      (await office.find(person, 'csc.feedbackReply', 'feedbackId', id)).length
    expect([await replies('seller'), await replies('service'), await replies('otherSeller').catch(() => 0)]).toEqual([0, 1, 0])
    expect((await get('otherSeller', `feedback/getFeedbackDetail?id=${id}`)).code).toBe(NOT_FOUND)
    const own = await page('seller', 'myFeedbackPage')
    expect(own.records.map((one) => one.id)).toContain(id)
    const ofOthers = await page('otherSeller', 'myFeedbackPage', {
      where: [{ field: 'staffId', operator: 'eq', value: 'seller' }],
    })
    expect(ofOthers.total).toBe(0)
    expect((await page('boss', 'feedbackManagePage')).total).toBeGreaterThanOrEqual(own.total)
  })

  it('refuses each call to who lacks its key, and to who is signed out', async () => {
    const { id } = await write('seller')
    const asSeller = await Promise.all([
      post('seller', 'feedback/feedbackManagePage', {}),
      get('seller', 'feedback/countUnReply'),
      post('seller', 'feedback/feedbackReply', { id, content: 'x' }),
      get('seller', 'feedbackScoreQuestion/getQuestionList'),
      post('seller', 'feedbackScoreQuestion/updateQuestionList', { evaluateType: 'page', questions: [] }),
      post('seller', 'feedbackConfig/updateFeedbackTips', {}),
      get('seller', 'feedbackPopupConfig/getPopupConfigList'),
      post('seller', 'feedbackPopupConfig/patchSaveOrUpdatePopupConfig', { list: [] }),
      // reads all, answers nothing
      post('boss', 'feedback/feedbackReply', { id, content: 'x' }),
    ])
    expect(asSeller.map(({ code }) => code)).toEqual(asSeller.map(() => REFUSED))
    expect(
      await office.refuses('seller', 'csc.feedback', 'stateUpdate', { ids: [id], transition: 'merge', values: { mainId: id } }),
    ).toBe(true)
    expect(
      await office.refuses('otherSeller', 'csc.feedback', 'stateUpdate', {
        ids: [id],
        transition: 'add',
        values: { content: 'x' },
      }),
    ).toBe(true)
    const out = await fetch(`${office.test.base}${BASE}/feedback/myFeedbackPage`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(out.status).toBe(401)
  })

  it('merges duplicates: later answers reach everybody who said it', async () => {
    const [main, same] = [await write('seller'), await write('otherSeller')]
    await office.move('service', 'csc.feedback', same.id, 'merge', { mainId: main.id })
    expect(await stored(same.id)).toMatchObject({ status: 'closed', duplicate_of_id: main.id })
    expect(await stored(main.id)).toMatchObject({ duplicates: 1 })
    expect(
      await office.refuses('service', 'csc.feedback', 'stateUpdate', {
        ids: [main.id],
        transition: 'merge',
        values: { mainId: same.id },
      }),
    ).toBe(true)
    await good(post('service', 'feedback/feedbackReply', { id: main.id, content: '<p>Mended.</p>' }))
    expect([await unread('seller'), await unread('otherSeller')]).toEqual([expect.any(Number), 1])
    expect(await office.find('otherSeller', 'csc.feedbackReply', 'feedbackId', same.id)).toMatchObject([
      { content: '<p>Mended.</p>' },
    ])
    expect((await opened('otherSeller', same.id)).record['id']).toBe(same.id)
    expect(await unread('otherSeller')).toBe(0)
  })

  it('is opened again by its sender within seven days after it was closed', async () => {
    const { id } = await write('seller')
    await good(post('service', 'feedback/feedbackReply', { id, content: '<p>Done.</p>' }))
    await office.move('seller', 'csc.feedback', id, 'solve')
    await office.move('seller', 'csc.feedback', id, 'reopen', { content: '<p>Still gone.</p>' })
    expect(await stored(id)).toMatchObject({ status: 'reopened', closed_at: null, unread_by_handler: true })
    await good(post('service', 'feedback/feedbackReply', { id, content: '<p>Now.</p>' }))
    await office.move('seller', 'csc.feedback', id, 'solve')
    office.until(office.day(8))
    expect(
      await office.refuses('seller', 'csc.feedback', 'stateUpdate', {
        ids: [id],
        transition: 'reopen',
        values: { content: 'x' },
      }),
    ).toBe(true)
  })

  it('takes pasted screenshots that its manager may read, and nobody else', async () => {
    const form = new FormData()
    form.append('file', new Blob(['seen on the screen'], { type: 'text/plain' }), 'screen.txt')
    const raw = async (person: Person, method: string, path: string, init: object = {}) =>
      (await office.as(person)).raw(method, path, init)
    const sent = (await (await raw('seller', 'POST', `${BASE}/file/upload`, { body: form })).json()) as Answer<{
      fileId: string
      url: string
      name: string
      size: number
      type: string
    }>
    const { fileId, url, ...file } = sent.data
    await write('seller', { attachments: [{ id: fileId, ...file }] })
    expect(await (await raw('service', 'GET', url)).text()).toBe('seen on the screen')
    expect(((await (await raw('otherSeller', 'GET', url)).json()) as Answer<null>).code).toBe(NOT_FOUND)
  })

  it('gives an upload address for one file of its name and size, once', async () => {
    const bytes = 'twelve bytes'
    const given = await good(
      get<{ fileId: string; url: string }>('seller', `file/uploadAndGetUrl?name=a.txt&size=${bytes.length}`),
    )
    const put = async (person: Person, content: string): Promise<Answer<{ fileId: string }>> => {
      const form = new FormData()
      form.append('file', new Blob([content], { type: 'text/plain' }), 'a.txt')
      return (await (await (await office.as(person)).raw('POST', given.url, { body: form })).json()) as Answer<{ fileId: string }>
    }
    expect((await put('seller', 'too many bytes for it')).code).not.toBe(0)
    expect((await put('otherSeller', bytes)).code).not.toBe(0)
    expect((await put('seller', bytes)).data).toMatchObject({ fileId: given.fileId })
    expect((await put('seller', bytes)).code).not.toBe(0)
  })
})

describe('ratings and hints', () => {
  const questions = [
    { titleZh: '这个页面好用吗', titleEn: 'Is this page easy?', kind: 'stars', isRequired: true },
    { titleZh: '会推荐给同事吗', titleEn: 'Would you recommend it?', kind: 'nps', isRequired: false },
    { titleZh: '哪里不好', titleEn: 'What is bad?', kind: 'text', isRequired: false },
  ]
  const enter = () =>
    good(
      post<{ id: string | null; evaluateType: string | null }>('seller', 'feedbackPopupStat/triggerPopupScoreWindow', {
        resourceId,
      }),
    )
  const popup = { evaluateType: 'page', kind: 'score' }
  let asked: { id: string; kind: string }[]
  let popupConfigId: string

  it('R260 says how many people a popup would reach today', async () => {
    asked = await good(
      post<{ id: string; kind: string }[]>('admin', 'feedbackScoreQuestion/updateQuestionList', {
        evaluateType: 'page',
        questions,
      }),
    )
    expect(asked.map(({ kind }) => kind)).toEqual(['stars', 'nps', 'text'])
    const list = [{ ...popup, resourceId, afterVisits: 5, everyDays: 90 }]
    ;({
      ids: [popupConfigId],
    } = (await good(post<{ ids: [string] }>('admin', 'feedbackPopupConfig/patchSaveOrUpdatePopupConfig', { list }))) as {
      ids: [string]
    })
    const reach = async (): Promise<number> =>
      (
        await good(get<{ resourceId: string; popups: { reach: number }[] }[]>('admin', 'feedbackPopupConfig/getPopupConfigList'))
      )[0]!.popups[0]!.reach
    expect(await reach()).toBe(0)
    for (let visit = 1; visit <= 4; visit++) expect(await enter()).toEqual({ id: null, evaluateType: null })
    expect(await reach()).toBe(1)
  })

  it('F1 R218 R220 asks on the fifth visit, and not again in this session or for seven days after it was closed', async () => {
    expect(await enter()).toEqual({ id: popupConfigId, evaluateType: 'page' })
    const flag = await good(
      get<{ pending: boolean; questions: object[] }>(
        'seller',
        `feedback/checkUserHasFeedback?resourceId=${resourceId}&evaluateType=page`,
      ),
    )
    expect(flag).toMatchObject({ pending: true, questions: [{ kind: 'stars' }, { kind: 'nps' }, { kind: 'text' }] })
    const tell = (action: string) =>
      good(post('seller', 'feedbackPopupStat/triggerPopupScoreWindow', { resourceId, popupConfigId, action }))
    await tell('shown')
    expect((await enter()).id).toBeNull()
    await tell('dismissed')
    office.until(office.day(6))
    expect((await enter()).id).toBeNull()
    office.until(office.day(2))
    expect((await enter()).id).toBe(popupConfigId)
    const [config] = await office.rows('select shown, dismissed, submitted from csc_popup_config where id = $1', [popupConfigId])
    expect(config).toEqual({ shown: 1, dismissed: 1, submitted: 0 })
  })

  it('names the question whose answer is missing or impossible, and keeps one rating a person, kind and period', async () => {
    const rate = (answers: object) =>
      post('seller', 'feedback/commitScore', { ...RATING, kind: undefined, resourceId, popupConfigId, answers })
    const [stars, nps, remark] = asked.map(({ id }) => id) as [string, string, string]
    expect(await rate({})).toMatchObject({ code: 10010005, data: { errors: [{ field: stars, rule: 'required' }] } })
    expect(await rate({ [stars]: 6 })).toMatchObject({ code: 10010005, data: { errors: [{ field: stars, rule: 'answer' }] } })
    const { id } = await good(rate({ [stars]: 2, [nps]: 9, [remark]: 'slow' }))
    expect((await good(rate({ [stars]: 4 }))).id).toBe(id)
    expect(await office.rows('select total::text, nps, level, staff_id from csc_score')).toEqual([
      { total: expect.stringMatching(/^4(\.0+)?$/), nps: null, level: 'happy', staff_id: 'seller' },
    ])
    expect(await good(get('seller', 'sysDict/listAllScoreLevel'))).toMatchObject([
      { code: 'unhappy', stars: [1, 2], nps: [0, 6] },
      { code: 'neutral', stars: [3, 3], nps: [7, 8] },
      { code: 'happy', stars: [4, 5], nps: [9, 10] },
    ])
  })

  it('does not ask a question any more that is left out, and forgets it where nobody answered', async () => {
    const [stars] = asked
    const left = await good(
      post<object[]>('admin', 'feedbackScoreQuestion/updateQuestionList', { evaluateType: 'page', questions: [] }),
    )
    expect(left).toEqual([])
    const kept = await good(get<{ id: string; enabled: boolean }[]>('admin', 'feedbackScoreQuestion/getQuestionList'))
    expect(kept).toMatchObject([{ id: stars!.id, enabled: false }])
  })

  it('F2 R216 R217 shows a hint until it was read, and once more when its text has changed', async () => {
    const tip = () =>
      good(get<{ enabled: boolean; id: string; version: number; text: string }>('seller', 'feedbackConfig/getFeedbackTips'))
    expect((await tip()).enabled).toBe(false)
    const { id } = await good(
      post('admin', 'feedbackConfig/updateFeedbackTips', { textZh: '<p>写反馈</p>', textEn: '<p>Write to us</p>' }),
    )
    const read = async () => {
      const { version } = await tip()
      await good(post('seller', 'feedbackPopupStat/triggerPopupFeedbackWindow', { tipId: id, version, action: 'dismissed' }))
    }
    expect(await tip()).toMatchObject({ enabled: true, version: 1, text: '<p>Write to us</p>' })
    await read()
    expect((await tip()).enabled).toBe(false)
    const [{ version }] = (await office.rows<{ version: number }>('select version from csc_feedback_tip where id = $1', [
      id,
    ])) as [{ version: number }]
    await good(post('admin', 'feedbackConfig/updateFeedbackTips', { id, version, textEn: '<p>Write to us, please</p>' }))
    expect(await tip()).toMatchObject({ enabled: true, version: 2 })
    await read()
    expect((await tip()).enabled).toBe(false)
  })
})
