import type { DemoRecord, DemoStep, DemoWorld } from '../../../demo'
import { tableOf, thereIs } from '../../../entities'
import { dayOf, instantAt, addDays } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'

/** Campaigns and recipients of a world of full size; what happened to their mails follows from chance by their ids. */
const CAMPAIGNS = 36
const RECIPIENTS = 11_000
/** Days between two campaigns: nobody gets more than two in seven days. */
const APART = 10
const PER_HOUR = 200
/** The latest two are not through: one is paused, one is being written. */
const UNFINISHED = 2

const SUBJECTS = [
  ['季度短信价格更新', '{{contact.name}}，您好：本季度价格已更新', 'Rates of this quarter, {{contact.name}}'],
  ['WhatsApp 模板消息上线', 'WhatsApp 模板消息现已开通', 'WhatsApp templates are live'],
  ['OTP 到达率报告', '近 90 天 OTP 到达率', 'OTP delivery of the last 90 days'],
  ['东南亚直连通道', '东南亚五国直连通道', 'Direct routes to five countries of South-East Asia'],
  ['展会邀请', '诚邀您来我们的展台', 'Meet us at our stand'],
  ['语音验证码试用', '语音验证码免费试用', 'Voice codes: try them free'],
] as const
const LINKS = ['https://switchboard.example/rates', 'https://switchboard.example/contact'] as const

/** Campaigns of a year with recipients and events that agree with the contacts, written set-wise. */
export const fillCampaigns: DemoStep = async (world, { tx, entities }) => {
  if (!(await thereIs(tx, 'mail.account'))) return
  const senders = await sendersOf(tx)
  if (senders.length === 0) return
  const campaigns = planOf(world, senders)
  await entities.insertMany('crm.mailCampaign', campaigns)
  await entities.numbers('crm.mailCampaign', 'code', campaigns.length)
  const sent = campaigns.slice(0, -1)
  await entities.insertMany(
    'crm.mailLink',
    sent.flatMap(({ id, createdAt, createdBy }) =>
      LINKS.map((url, index) => ({ id: `${id}-l${index + 1}`, campaignId: id, position: index + 1, url, createdAt, createdBy })),
    ),
  )
  const size = Math.max(5, Math.round((RECIPIENTS * Math.min(1, world.scale)) / CAMPAIGNS))
  const nows = world.now.toISOString()
  await tx.query(recipientsSql, [JSON.stringify(sent.map(({ id }, index) => ({ id, n: index }))), size, nows, sent.length])
  await tx.query(eventsSql, [nows])
  await tx.query(unsubscribedSql, [])
  for (const statement of countsSql) await tx.query(statement, [])
}

interface SenderRow {
  id: string
  ownerId: string
  deptId: string | null
}

/** Mailboxes of the people who sell, the earliest first. */
async function sendersOf(tx: Executor): Promise<SenderRow[]> {
  const { rows } = await tx.query<SenderRow>(
    `select a.id, a.owner_id as "ownerId", s.main_dept_id as "deptId" from ${tableOf('mail.account')} a join ${tableOf('sys.staff')} s on s.id = a.owner_id
     where a.kind = 'personal' and s.position like 'sales%' and s.status = 'active' and a.deleted_at is null order by a.id`,
    [],
  )
  return rows
}

function planOf({ scale, now, timeZone }: DemoWorld, senders: readonly SenderRow[]): (DemoRecord & { id: string })[] {
  const count = Math.max(4, Math.round(CAMPAIGNS * Math.min(1, scale)))
  const today = dayOf(now, timeZone)
  return Array.from({ length: count }, (_, index) => {
    const [name, subject, subjectEn] = SUBJECTS[index % SUBJECTS.length]!
    const sender = senders[index % senders.length]!
    const started = instantAt(addDays(today, -APART * (count - index) - 2), '10:00', timeZone)
    const left = count - index
    const at = started.toISOString()
    const isDraft = left === 1
    const status = isDraft ? 'draft' : left === UNFINISHED ? 'paused' : 'done'
    const body = (greeting: string, text: string, link: string): string =>
      `<p>${greeting}</p><p>${text}</p><p><a href="${LINKS[0]}">${link}</a></p><p>{{me.name}} {{me.mobile}}</p>`
    return {
      ...{ id: `mc-${String(index + 1).padStart(3, '0')}`, code: `MC${today.slice(2, 4)}${String(index + 1).padStart(5, '0')}` },
      ...{ createdAt: new Date(started.getTime() - 7_200_000).toISOString(), createdBy: sender.ownerId, version: 1 },
      ...{ ownerId: sender.ownerId, ownerDeptId: sender.deptId, ownedAt: at, name: `${name} ${at.slice(0, 7)}`, status },
      ...{ senderId: sender.id, subject, subjectEn, body: body('{{contact.name}}，您好：', `${name}，详情见链接。`, '查看详情') },
      bodyEn: body(
        'Dear {{contact.name}},',
        `${subjectEn.replace(/,? ?\{\{.*?\}\}/u, '')}: the details are behind the link.`,
        'See the details',
      ),
      ...{ contactFallback: '您', customerFallback: '贵公司', audienceKind: 'customers', audienceOwner: 'visible' },
      ...{ countries: [], levels: [], industries: [], stages: [], products: [], roles: [], perHour: PER_HOUR },
      ...{
        startedAt: isDraft ? null : at,
        tracked: isDraft ? null : true,
        links: isDraft ? [] : [...LINKS],
        secret: isDraft ? null : `demo-${index}`,
      },
      finishedAt: status === 'done' ? new Date(started.getTime() + 2 * 3_600_000).toISOString() : null,
    }
  })
}

const [CAMPAIGN, RECIPIENT, EVENT, LINK] = ['crm.mailCampaign', 'crm.mailRecipient', 'crm.mailEvent', 'crm.mailLink'].map(
  tableOf,
) as [string, string, string, string]
const CONTACT = tableOf('crm.contact')

/** A number from 0 to 1 that follows from a text. */
const chance = (text: string): string => `(('x' || substr(md5(${text}), 1, 7))::bit(28)::int / 268435456.0)`

/**
 * Recipients: contacts in an order of chance; whoever unsubscribed (or whose address came back) did so in a campaign of his own, is passed over afterwards.
 * $1 campaigns, $2 recipients of each, $3 now, $4 number of campaigns
 */
const recipientsSql = `
  with k as (select k.id, k.customer_id, k.name, lower(k.email) as email, k.unsubscribed_at is not null as leaves, coalesce(k.bounce_count, 0) > 0 as dead,
      floor(${chance(`k.id || 'when'`)} * $4)::int as turn, case when c.country_code in ('CN', 'HK', 'MO', 'TW') then 'zh-CN' else 'en-US' end as language, c.name as customer
    from ${CONTACT} k join ${tableOf('crm.customer')} c on c.id = k.customer_id where k.email <> '' and k.deleted_at is null and c.deleted_at is null and not coalesce(c.voided, false)
      and not coalesce(c.blacklisted, false)),
  once as (select distinct on (email) * from k order by email, id),
  picked as (select m.id as campaign_id, m.n, c.started_at, c.created_by, o.*, row_number() over (partition by m.id order by md5(o.id || m.id)) as place
    from jsonb_to_recordset($1::jsonb) as m(id text, n int) join ${CAMPAIGN} c on c.id = m.id cross join once o),
  judged as (select p.*, p.campaign_id || '-' || substr(p.id, 4) as rid, p.started_at + make_interval(secs => p.place * 3600.0 / ${PER_HOUR}) as sent,
      case when p.leaves and p.n > p.turn then 'unsubscribed' when p.dead and p.n > p.turn then 'invalid' end as skip,
      p.dead and p.n = p.turn as hard, ${chance(`p.id || p.campaign_id || 'soft'`)} < 0.01 + p.n % 3 * 0.01 as soft,
      ${chance(`p.id || p.campaign_id || 'open'`)} as luck, 0.26 + p.n % 7 * 0.022 as openness, 0.025 + p.n % 5 * 0.01 as clicking
    from picked p where p.place <= $2),
  timed as (select j.*, j.skip is null and not (j.n = $4 - 1 and j.place > $2 / 2) as goes, j.skip is null and (j.hard or j.soft) as back,
      j.sent + make_interval(secs => (${chance(`j.rid || 'o'`)} * 180000 + 120)::int) as opening from judged j)
  insert into ${RECIPIENT} (id, campaign_id, contact_id, customer_id, name, email, language, variables, status, skipped_because, released_at, sent_at, delivered_at, opened_at, clicked_at, replied_at,
    bounced_at, bounce_reason, hard_bounce, unsubscribed_at, message_id, created_at, updated_at, created_by, version)
  select rid, campaign_id, id, customer_id, name, email, language, jsonb_build_object('customerName', customer),
    case when skip is not null then 'skipped' when not goes then 'waiting' when back then 'bounced' else 'delivered' end, skip,
    case when goes then sent end, case when goes then sent end, case when goes and not back then sent + interval '4 seconds' end,
    case when goes and not back and (luck < openness or leaves and n = turn) and opening < $3 then opening end,
    case when goes and not back and luck < clicking and opening + interval '3 minutes' < $3 then opening + interval '3 minutes' end,
    case when goes and not back and luck < 0.012 and opening + interval '2 hours' < $3 then opening + interval '2 hours' end,
    case when goes and back then sent + interval '40 seconds' end,
    case when goes and back then case when hard then '550 5.1.1 no such user' else '452 4.2.2 mailbox full' end end, goes and back and hard,
    case when goes and not back and leaves and n = turn and opening + interval '1 minute' < $3 then opening + interval '1 minute' end,
    case when goes then '<' || rid || '@switchboard.example>' end, started_at, started_at, created_by, 1
  from timed`

/** What happened to them. $1 now */
const eventsSql = `
  with r as (select * from ${RECIPIENT} where sent_at is not null),
  happened as (
    select r.*, 'delivered' as kind, delivered_at as at, 0 as nth, null::text as link, null::text as said from r where delivered_at is not null
    union all select r.*, 'opened', opened_at + make_interval(hours => i * 7), i, null, null from r cross join lateral generate_series(0, (${chance(`r.id || 'again'`)} * 9.6)::int) i where opened_at is not null
    union all select r.*, 'clicked', clicked_at + make_interval(mins => i), i, r.campaign_id || '-l' || (1 + i % 2), null from r cross join lateral generate_series(0, (${chance(`r.id || 'more'`)} * 1.4)::int) i where clicked_at is not null
    union all select r.*, 'replied', replied_at, 0, null, null from r where replied_at is not null
    union all select r.*, 'bounced', bounced_at, 0, null, bounce_reason from r where bounced_at is not null
    union all select r.*, 'unsubscribed', unsubscribed_at, 0, null, null from r where unsubscribed_at is not null)
  insert into ${EVENT} (id, campaign_id, recipient_id, at, kind, link_id, is_first, note, ip, agent, created_at, updated_at, version)
  select id || '-' || kind || nth, campaign_id, id, at, kind, link, kind = 'clicked' or kind = 'opened' and nth = 0, said,
    case when kind in ('opened', 'clicked') then '198.51.100.' || (1 + (${chance('id')} * 250)::int) end,
    case when kind in ('opened', 'clicked') then (array['Outlook', 'Apple Mail', 'Foxmail', 'Gmail image proxy'])[1 + (${chance(`id || 'agent'`)} * 3.99)::int % 4] end, at, at, 1
  from happened where at < $1`

/** Contacts left when they unsubscribed. */
const unsubscribedSql = `
  update ${CONTACT} k set unsubscribed_at = r.at from (select contact_id, min(unsubscribed_at) as at from ${RECIPIENT} where unsubscribed_at is not null group by 1) r where k.id = r.contact_id`

/** Counts of campaigns and links. */
const countsSql = [
  `with r as (select campaign_id, count(*) filter (where status <> 'skipped') as total, count(*) filter (where status = 'skipped') as skipped, count(sent_at) as sent, count(delivered_at) as delivered,
     count(opened_at) as opened, count(clicked_at) as clicked, count(replied_at) as replied, count(bounced_at) as bounced, count(unsubscribed_at) as unsubscribed, count(complained_at) as complained
     from ${RECIPIENT} group by 1)
   update ${CAMPAIGN} c set total = r.total, skipped = r.skipped, sent = r.sent, delivered = r.delivered, opened = r.opened, clicked = r.clicked, replied = r.replied, bounced = r.bounced,
     unsubscribed = r.unsubscribed, complained = r.complained, open_rate = trim_scale(round(r.opened * 100.0 / nullif(r.delivered, 0), 2)), click_rate = trim_scale(round(r.clicked * 100.0 / nullif(r.delivered, 0), 2))
   from r where r.campaign_id = c.id`,
  `with e as (select link_id, count(*) as clicks, count(*) filter (where is_first) as people from ${EVENT} where link_id is not null group by 1)
   update ${LINK} l set clicks = e.clicks, people = e.people from e where e.link_id = l.id`,
] as const
