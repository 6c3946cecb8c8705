import { addDays, dayOf, type Day } from '../../../platform/calendar'
import type { DemoPart, DemoRecord } from '../../../demo'
import { reckon } from '../feedback/score'
import { placeOf } from '../../../staff'

const DAY = 86_400_000
const PAGES = [
  '/crm/client-partner/my-client',
  '/financial/account/consumer/bill',
  '/crm/leads',
  '/financial/account/consumer/recharge',
] as const
const SAID = [
  ['fault', '导出的文件打不开', '导出客户列表后，Excel 提示文件损坏。', '已修复，请重新导出。'],
  ['wish', '列表希望能记住列宽', '每次打开都要重新拖列宽。', '列宽会记住；拖动后双击可恢复。'],
  ['question', '账单为什么没有发出', '昨天出的账单还在待发送。', '缺少客户的账单邮箱，补上后会自动发送。'],
  ['praise', '搜索很快', 'Finding a customer by pinyin works very well.', 'Thank you, we pass it on.'],
  ['fault', '导出的文件损坏', '同样的问题，账单也导出不了。', null],
  ['wish', 'Dark mode for printed reports', 'Printed pages should stay light.', null],
  ['question', '额度在哪里申请', '找不到后付费额度申请的入口。', null],
] as const
const QUESTIONS = [
  ['dq-1', 'page', 'stars', '这个页面好用吗？', 'How easy is this page to use?', true],
  ['dq-2', 'page', 'nps', '您会向同事推荐门户吗？', 'Would you recommend the portal to a colleague?', false],
  ['dq-3', 'page', 'text', '哪里可以更好？', 'What could be better?', false],
] as const

/** What staff wrote of the portal in the last weeks, how they rated it, and a popup that is not switched on. */
export const fillFeedback: NonNullable<DemoPart['filled']> = async ({ staff, now, timeZone, random: chance }, entities) => {
  const random = chance.fork('feedback')
  const active = staff.filter(({ status }) => status === 'active')
  const handler = active.find(({ position }) => position === 'service') ?? active[0]!
  const at = (days: number): string => new Date(now.getTime() - days * DAY).toISOString()
  const day = (days: number): Day => addDays(dayOf(now, timeZone), -days)
  const stamp = (days: number, createdBy: string): DemoRecord => ({
    id: '',
    version: 1,
    createdAt: at(days),
    updatedAt: at(days),
    createdBy,
  })
  const codes = await entities.numbers('csc.feedback', 'code', SAID.length)
  const places = await Promise.all(PAGES.map((page) => placeOf(entities, page)))

  const feedback = SAID.map(([kind, title, content, answer], index) => {
    const days = answer === null ? index - 4 : 6 + 5 * index
    const sender = active[(index * 7 + 3) % active.length]!
    return {
      ...{ ...stamp(days, sender.id), id: `fb-${index + 1}`, code: codes[index], staffId: sender.id, kind, title },
      ...{
        content: `<p>${content}</p>`,
        attachments: [],
        pageUrl: PAGES[index % PAGES.length],
        ...places[index % PAGES.length]!,
      },
      ...{ contactWanted: index % 3 === 0, priority: index === 0 ? 'high' : 'normal', dueOn: day(days - 2), duplicates: 0 },
      ...(answer === null
        ? { status: 'new', unreadByOwner: 0, unreadByHandler: true, handlerId: null }
        : {
            status: 'closed',
            answeredAt: at(days - 1),
            closedAt: at(days - 3),
            inTime: true,
            handlerId: handler.id,
            unreadByOwner: 0,
          }),
    }
  })
  const replies = SAID.flatMap(([, , , answer], index) =>
    answer === null
      ? []
      : [
          {
            ...stamp(5 + 5 * index, handler.id),
            id: `fr-${index + 1}`,
            feedbackId: `fb-${index + 1}`,
            at: at(5 + 5 * index),
            byId: handler.id,
            content: `<p>${answer}</p>`,
            attachments: [],
            internal: false,
          },
        ],
  )
  const questions = QUESTIONS.map(([id, evaluateType, kind, titleZh, titleEn, isRequired], index) => ({
    ...{
      ...stamp(120, handler.id),
      id,
      evaluateType,
      kind,
      titleZh,
      titleEn,
      isRequired,
      sortNo: index + 1,
      enabled: true,
      choices: null,
    },
  }))
  await entities.insertMany('csc.feedback', feedback)
  await entities.insertMany('csc.feedbackReply', replies)
  await entities.insertMany('csc.scoreQuestion', questions)
  const asked = await entities.list('csc.scoreQuestion')
  await entities.insertMany(
    'csc.score',
    Array.from({ length: 60 }, (_, index) => {
      const days = 1 + ((index * 11) % 80)
      const who = active[(index * 5) % active.length]!
      const stars = random.integer(2, 5)
      const answers = { 'dq-1': stars, 'dq-2': Math.min(10, stars * 2 + random.integer(0, 1)) }
      return {
        ...{ ...stamp(days, who.id), id: `sc-${index + 1}`, staffId: who.id, evaluateType: 'page', at: at(days) },
        ...{ ...places[index % PAGES.length]!, ...reckon(asked, answers, 'zh') },
      }
    }),
  )
  const [first] = places
  if (first?.resourceId)
    await entities.insertMany('csc.popupConfig', [
      {
        ...stamp(120, handler.id),
        id: 'pc-1',
        resourceId: first.resourceId,
        kind: 'score',
        evaluateType: 'page',
        afterVisits: 5,
        everyDays: 90,
        roleIds: [],
        enabled: false,
        shown: 0,
        submitted: 0,
        dismissed: 0,
      },
    ])
}
