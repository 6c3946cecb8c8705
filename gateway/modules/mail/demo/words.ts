import type { Locale } from '../../../platform/http'
import { page } from './files'
import { paragraphs as p, type Turn } from './letters'

/** What a conversation is about. */
export interface Topic {
  locale: Locale
  /** The one who writes to us, and the one of us who answers. */
  them: string
  me: string
  company: string
  product: string
  country: string
  /** Messages a month, as it is written. */
  volume: string
  /** Of a delivery rate, per cent. */
  rate: number
}

export interface Script {
  subject: string
  turns: Turn[]
}

type Write = (topic: Topic) => Script

const PRODUCTS: Readonly<Record<string, readonly [string, string]>> = {
  sms: ['短信', 'SMS'],
  otpSms: ['短信验证码', 'OTP SMS'],
  otpVoice: ['语音验证码', 'voice OTP'],
  otp: ['验证码', 'OTP'],
  voice: ['语音', 'voice'],
  number: ['号码', 'numbers'],
  whatsapp: ['WhatsApp', 'WhatsApp'],
  email: ['邮件', 'e-mail'],
}

export const productWord = (product: string, locale: Locale): string =>
  (PRODUCTS[product] ?? [product, product])[locale === 'zh' ? 0 : 1]!

const NAMES = { zh: new Intl.DisplayNames('zh-CN', { type: 'region' }), en: new Intl.DisplayNames('en', { type: 'region' }) }
export const countryWord = (code: string, locale: Locale): string => NAMES[locale].of(code) ?? code

const them = (after: number, html: string, files?: Turn['files']): Turn => ({
  by: 'them',
  after,
  html,
  ...(files ? { files } : {}),
})
const us = (after: number, html: string, files?: Turn['files']): Turn => ({ by: 'us', after, html, ...(files ? { files } : {}) })
const registration = page('company-registration.pdf', ['Certificate of incorporation', 'Copy for the credit application'])
const trafficReport = page('traffic-report.pdf', ['Delivery by operator', 'Sample of 500 messages'])

const ZH: readonly Write[] = [
  ({ them: to, me, product, country, volume }) => ({
    subject: `询价：${country}${product}`,
    turns: [
      them(
        0,
        p(
          `${me}，您好！`,
          `我们计划下月上线${country}的${product}，预计每月 ${volume} 条，麻烦报一个直连价格，并说明是否支持自定义发送方。`,
          `谢谢！<br>${to}`,
        ),
      ),
      us(
        3,
        p(
          `${to}，您好：`,
          `收到。${country}${product}目前有直连和优质两档通道，我今天把报价单走完审批后发您。发送方需要提前登记，约 5 个工作日。`,
        ),
      ),
      them(21, p(`好的，我们内部预算比较紧，${volume} 条的量能否再优惠一些？另外结算币种希望是美元。`)),
      us(5, p('阶梯价可以申请，美元结算没有问题。请把未来三个月的预估量发我，我一起提交。')),
      them(26, p('三个月预估量：首月按上面的量，之后每月增长约一成。请尽快，谢谢。')),
    ],
  }),
  ({ them: to, me, product, country, rate }) => ({
    subject: `${country}${product}测试`,
    turns: [
      us(0, p(`${to}，您好：`, `${country}${product}的测试账号已准备好，请提供 5 到 10 个测试号码，尽量覆盖主要运营商。`)),
      them(6, p(`${me}您好，号码已整理，主要运营商都有。今天下午可以开始吗？`)),
      us(2, p('可以，下午三点开始，每个号码发两条，内容用贵司的模板。')),
      them(22, p(`测试结果：到达 ${rate}%，平均 6 秒。有一个号码没有收到，请帮忙看下原因。`), [trafficReport]),
      us(4, p('已查：该号码为携号转网，路由已补。请再试一条。')),
    ],
  }),
  ({ them: to, product, country, rate }) => ({
    subject: `${country}${product}到达率下降，请协助`,
    turns: [
      them(
        0,
        p('您好，', `今早 8 点起我们${country}的${product}到达率只有 ${rate - 30}% 左右，用户反馈收不到，请尽快处理。`, to),
      ),
      us(1, p('收到，已转运营同事排查，先为贵司切到备用通道。')),
      us(2, p(`原因：上游运营商 8:05 起拥塞，已切换。最近半小时样本恢复到 ${rate}%。`)),
      them(3, p('确认恢复，谢谢！麻烦补一份故障说明。')),
      us(20, p('故障说明：上游运营商拥塞，8:05 起，已切换。后续该国家默认双通道。')),
    ],
  }),
  ({ them: to, me, company }) => ({
    subject: '下周拜访',
    turns: [
      us(0, p(`${to}，您好：`, `下周我在贵司附近出差，想拜访${company}，介绍一下新上线的产品，周二或周三下午方便吗？`, me)),
      them(19, p('周三下午两点可以，地点在我们公司会议室。')),
      us(2, p('好的，周三下午两点见。我会带一位技术同事。')),
    ],
  }),
  ({ them: to, company }) => ({
    subject: '申请月结',
    turns: [
      them(0, p('您好，', `${company}目前是预付，合作已有一段时间，希望改为月结 30 天。`, to)),
      us(4, p('可以申请。请提供营业执照和近三个月的用量，我这边提交信用审批。')),
      them(27, p('营业执照见附件。'), [registration]),
      us(3, p('已提交，审批一般需要两到三个工作日，有结果第一时间告诉您。')),
    ],
  }),
  ({ them: to, me, product, country }) => ({
    subject: `${country}发送方登记`,
    turns: [
      them(0, p(`${me}您好，`, `我们需要在${country}登记${product}的发送方，请告知需要哪些材料。`, to)),
      us(3, p('需要：1. 营业执照；2. 授权书（加盖公章）；3. 短信模板两条。')),
      them(30, p('材料见附件，请查收。'), [registration]),
      us(5, p('材料齐全，已提交运营商，预计 5 个工作日。')),
    ],
  }),
]

const EN: readonly Write[] = [
  ({ them: to, me, product, country, volume }) => ({
    subject: `${country} ${product} rates`,
    turns: [
      them(
        0,
        p(
          `Hi ${me},`,
          `we are about to launch ${product} in ${country}, about ${volume} a month. Could you send us your direct rates, and say whether a sender of our own is possible?`,
          `Thanks,<br>${to}`,
        ),
      ),
      us(
        4,
        p(
          `Dear ${to},`,
          `thank you. For ${country} we have direct and premium routes; the quote follows today as soon as it is approved. A sender has to be registered, which takes about five working days.`,
        ),
      ),
      them(20, p(`Our budget is tight. Is there a better price for ${volume}? We would like to settle in US dollars.`)),
      us(5, p('US dollars are fine. Send me the forecast of three months, and I ask for a volume price.')),
      them(25, p('Forecast: the first month as above, then about ten per cent more each month.')),
    ],
  }),
  ({ them: to, me, product, country, rate }) => ({
    subject: `Test of ${product} to ${country}`,
    turns: [
      us(
        0,
        p(
          `Dear ${to},`,
          `the test account for ${product} in ${country} is ready. Please send five to ten numbers, of all large operators if you can.`,
          me,
        ),
      ),
      them(7, p(`Hi ${me}, here they are, all operators included. Can we begin this afternoon?`)),
      us(2, p('Yes, at three. Two messages to each number, with your own text.')),
      them(22, p(`Result: ${rate}% delivered, six seconds on average. One number got nothing, please have a look.`), [
        trafficReport,
      ]),
      us(4, p('That number was ported; the route is mended. Please try it once more.')),
    ],
  }),
  ({ them: to, product, country, rate }) => ({
    subject: `Urgent: delivery of ${product} in ${country} is down`,
    turns: [
      them(
        0,
        p(
          'Hello team,',
          `since this morning only ${rate - 30}% of our ${product} to ${country} arrive, and users complain. Please act.`,
          to,
        ),
      ),
      us(1, p('Understood. Operations is on it; your traffic goes by the second route meanwhile.')),
      us(2, p(`The upstream operator is congested since 08:05. With the other route the last half hour shows ${rate}%.`)),
      them(3, p('Confirmed, it is back. Please send us an incident report.')),
      us(
        20,
        p(
          'Cause: congestion at the upstream operator from 08:05 on; rerouted. From now on this country has two routes by default.',
        ),
      ),
    ],
  }),
  ({ them: to, me, company }) => ({
    subject: 'Visit next week',
    turns: [
      us(
        0,
        p(
          `Dear ${to},`,
          `I am in town next week and would like to visit ${company} to show what is new. Would Tuesday or Wednesday afternoon suit you?`,
          me,
        ),
      ),
      them(19, p('Wednesday at two works, at our office.')),
      us(2, p('Perfect, see you on Wednesday at two. A technical colleague comes along.')),
    ],
  }),
  ({ them: to, company }) => ({
    subject: 'Monthly terms',
    turns: [
      them(0, p('Hello,', `${company} pays in advance today. After these months we would like to move to 30 days.`, to)),
      us(4, p('That can be asked for. Please send the registration of the company; I hand in the credit application.')),
      them(28, p('The registration is attached.'), [registration]),
      us(3, p('Handed in. It takes two to three working days; I tell you at once.')),
    ],
  }),
  ({ them: to, me, product, country }) => ({
    subject: `Sender registration in ${country}`,
    turns: [
      them(0, p(`Hi ${me},`, `which documents do you need to register our sender for ${product} in ${country}?`, to)),
      us(3, p('Three: the company registration, a letter of authorisation, and two sample texts.')),
      them(30, p('Please find them attached.'), [registration]),
      us(5, p('Complete. It is with the operator now and takes about five working days.')),
    ],
  }),
]

/** Conversations with customers, by language. */
export const SALES: Readonly<Record<Locale, readonly Write[]>> = { zh: ZH, en: EN }

/** Conversations with suppliers. */
export const SUPPLY: readonly Write[] = [
  ({ them: to, me, product, country, rate }) => ({
    subject: `${product} route to ${country}: test`,
    turns: [
      us(0, p(`Dear ${to},`, `we would like to test your ${product} route to ${country}. Please open a test account.`, me)),
      them(5, p(`Hi ${me}, the account is open, 200 messages are free. ${to}`)),
      us(26, p(`Result: ${rate}% delivered. Receipts come late at night; please check.`)),
      them(8, p('We changed the receipt queue. Please repeat the night test.')),
    ],
  }),
  ({ them: to, product, country }) => ({
    subject: `Maintenance: ${country} ${product}`,
    turns: [
      them(
        0,
        p(
          'Dear partner,',
          `on Sunday from 02:00 to 04:00 UTC our ${product} platform for ${country} is under maintenance. Traffic is queued.`,
          to,
        ),
      ),
      us(3, p('Noted, we route around it in that window.')),
    ],
  }),
  ({ them: to, me, company }) => ({
    subject: `Statement of ${company}`,
    turns: [
      them(0, p(`Hi ${me},`, 'the statement of last month is attached. Please confirm the volumes.', to), [
        page('statement.pdf', [`Statement of ${company}`, 'Volumes as of our records']),
      ]),
      us(20, p('We compare it with our records and come back to you this week.')),
      them(48, p('Thank you. Any news?')),
      us(4, p('Checked: it agrees within half a per cent. Please go ahead.')),
    ],
  }),
]
