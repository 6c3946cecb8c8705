import type { DemoWorld } from './types'

const [HOUR, DAY] = [3_600_000, 86_400_000]

/** Notices: version, kind, titles, texts, days ago. None opens a dialog: whoever looks at the demo company has read them all. */
const NOTICES = [
  [
    '3.6.0',
    'release',
    '客户公海与线索自动分配上线',
    'Open sea and lead assignment',
    '新增客户公海、领取与回收规则。\n线索按规则自动分配，可试算。',
    'Customers without an owner can be claimed.\nLeads are handed out by rules that can be tried out.',
    96,
  ],
  [
    '3.7.0',
    'release',
    '账务分录与授信上线',
    'Ledger and credit',
    '充值、付款、对冲统一记账。\n额度、预警、停用自动计算。',
    'Recharges, payments and hedges go through one ledger.\nLimits, warnings and stops follow from it.',
    61,
  ],
  [
    '3.7.1',
    'fix',
    '修复导出时区',
    'Export times',
    '导出文件的时间按公司时区显示。',
    'Exported moments are told in the zone of the company.',
    47,
  ],
  [
    '3.8.0',
    'iteration',
    '审批支持批量同意',
    'Approvals in one go',
    '我的待办可批量同意。\n超时任务自动提醒。',
    'Several tasks can be agreed to at once.\nLate tasks are reminded of.',
    25,
  ],
  [
    '3.8.1',
    'maintenance',
    '周六 02:00–04:00 停机维护',
    'Maintenance on Saturday, 02:00 to 04:00',
    '数据库升级，期间不能登录。',
    'The database is upgraded; nobody can sign in meanwhile.',
    9,
  ],
  [
    '3.9.0',
    'release',
    '预警中心上线',
    'Early warning',
    '余额、逾期、送达率自动监控。\n告警可确认、静默、升级。',
    'Balances, overdue bills and delivery rates are watched.\nAlarms are acknowledged, snoozed, escalated.',
    2,
  ],
] as const

/** What the demo company was told of its versions, and who has read it. */
export function makeNotices({ rows, staff, now, random }: DemoWorld): void {
  const chance = random.fork('release notices')
  const by = staff[0]?.id ?? ''
  const readers = staff.filter(({ status }) => status !== 'left').slice(0, 8)
  rows['sys.releaseNotice'] = NOTICES.map(([releaseNo, kind, titleZh, titleEn, contentZh, contentEn, ago]) => {
    const at = new Date(now.getTime() - ago * DAY - 3 * HOUR).toISOString()
    return {
      ...{ id: `rn-${releaseNo}`, releaseNo, kind, titleZh, titleEn, contentZh, contentEn, audience: 'all', departmentIds: [] },
      ...{ popup: false, status: 'published', publishedAt: at, publishedById: by, createdAt: at, createdBy: by },
      readers: readers.length,
    }
  })
  rows['sys.releaseNotice'].push(
    notice('rn-3.9.1', '3.9.1', 'fix', 'scheduled', {
      titleZh: '修复告警重复提醒',
      titleEn: 'Repeated reminders of alarms',
      contentZh: '同一告警六小时内只提醒一次。',
      contentEn: 'An alarm is told once in six hours.',
      publishAt: new Date(now.getTime() + 5 * DAY).toISOString(),
    }),
    notice('rn-4.0.0', '4.0.0', 'release', 'draft', {
      titleZh: '报表中心改版',
      titleEn: 'Reports',
      contentZh: '待补充',
      contentEn: null,
    }),
    notice('rn-3.5.9', '3.5.9', 'fix', 'withdrawn', {
      titleZh: '发错的公告',
      titleEn: null,
      contentZh: '版本号写错',
      contentEn: null,
      withdrawReason: '版本号写错',
    }),
  )
  rows['sys.releaseRead'] = rows['sys.releaseNotice']
    .filter(({ status }) => status === 'published')
    .flatMap(({ id, publishedAt }) =>
      readers.map((reader) => {
        const readAt = new Date(
          Math.min(Date.parse(String(publishedAt)) + chance.integer(1, 40) * HOUR, now.getTime()),
        ).toISOString()
        return {
          id: `${id}-${reader.id}`,
          noticeId: id,
          staffId: reader.id,
          departmentId: reader.mainDeptId,
          readAt,
          createdAt: readAt,
          createdBy: reader.id,
        }
      }),
    )

  function notice(id: string, releaseNo: string, kind: string, status: string, more: Record<string, unknown>) {
    const at = new Date(now.getTime() - DAY).toISOString()
    return {
      id,
      releaseNo,
      kind,
      status,
      readers: 0,
      audience: 'all',
      departmentIds: [],
      popup: false,
      createdAt: at,
      createdBy: by,
      ...more,
    }
  }
}
